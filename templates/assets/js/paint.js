// Writes results into the page: numbers, sentences, words, lists and flags, each where an attribute names its path.
"use strict";

(function () {
  const MARK_MS = 1200; // how long a cell that moved stays marked

  /** @typedef {{element: HTMLDataElement, text: Text, path: string[], shape: string, value: any}} Cell */

  /** What a path leads to; a star collects over a list. @param {any} results @param {string[]} path @returns {any} */
  function at(results, path) {
    let value = results;
    for (let index = 0; index < path.length; index++) {
      if (value === null || value === undefined) return undefined;
      if (path[index] === "*") return value.map((/** @type {any} */ item) => at(item, path.slice(index + 1)));
      value = value[path[index]];
    }
    return value;
  }

  /**
   * Return the declared shape of an id: names as they are, indices as stars.
   * @param {string} id @param {Record<string, any>} numbers
   */
  function shapeOf(id, numbers) {
    const parts = id.split(".");
    const plain = parts.map((part) => (/^\d+$/.test(part) ? "*" : part));
    if (plain.join(".") in numbers) return plain.join(".");
    for (let index = 0; index < parts.length; index++) {
      const shape = plain.map((part, place) => (place === index ? "*" : part)).join(".");
      if (shape in numbers) return shape;
    }
    return "";
  }

  /**
   * Fill the {names} of a text.
   * @param {string} text @param {Record<string, any>} values
   */
  function filled(text, values) {
    return text.replace(/\{(\w+)\}/g, (match, name) => (name in values ? String(values[name]) : match));
  }

  /** Put newer results over older ones, name by name. @param {any} older @param {any} newer @returns {any} */
  function merged(older, newer) {
    const isGroup = (/** @type {any} */ value) => Boolean(value) && typeof value === "object" && !Array.isArray(value);
    if (!isGroup(older) || !isGroup(newer)) return newer;
    const both = { ...older };
    for (const [name, value] of Object.entries(newer)) both[name] = merged(older[name], value);
    return both;
  }

  /** Whether something is there or holds, as Python sees it: an empty list does not. @param {any} value */
  function holds(value) {
    return Array.isArray(value) ? value.length > 0 : Boolean(value);
  }

  /** @param {any} data the page's live data */
  function Painter(data) {
    /** @type {Map<HTMLDataElement, Cell>} */
    let cells = new Map();
    let stale = true; // numbers came or went since the cells were found
    /** @type {any} */
    let latest = {}; // all results painted so far, the newest of each
    /** @type {Set<HTMLElement>} */
    let moved = new Set();
    let settling = 0;

    if (data.words["number.undefined"]) RLPU.format.words.nan = data.words["number.undefined"];

    /** @param {HTMLDataElement} element @returns {Cell} */
    function cell(element) {
      const id = element.dataset.number || "";
      const text = /** @type {Text} */ (element.firstChild || element.appendChild(new Text("")));
      return { element, text, path: id.split("."), shape: shapeOf(id, data.numbers), value: element.value };
    }

    /** Find all numbers of the page, if any came or went. */
    function find() {
      if (!stale) return;
      stale = false;
      const elements = /** @type {NodeListOf<HTMLDataElement>} */ (document.querySelectorAll("data.number"));
      cells = new Map([...elements].map((element) => [element, cell(element)]));
    }

    /** Let an element show another number. @param {HTMLDataElement} element @param {string} id */
    function retarget(element, id) {
      element.dataset.number = id;
      const known = cells.get(element);
      if (known) known.path = id.split(".");
    }

    /** Write every number that the results have; only what changed touches the page. @param {any} results */
    function numbers(results) {
      latest = merged(latest, results);
      find();
      for (const cell of cells.values()) {
        const value = at(results, cell.path);
        if (value === undefined) continue;
        const machine = RLPU.format.machine(value);
        if (machine === cell.value) continue;
        cell.value = machine;
        cell.element.value = machine;
        const text = textOf(cell.shape, value);
        if (text !== cell.text.data) {
          cell.text.data = text;
          moved.add(cell.element);
          const signed = cell.element.parentElement;
          if (signed && signed.classList.contains("signed")) signed.classList.toggle("negative", text.startsWith("−"));
        }
      }
    }

    /** How a number of a declared shape is written. @param {string} shape @param {any} value @returns {string} */
    function textOf(shape, value) {
      return RLPU.format.text(value, shape ? data.numbers[shape][0] : 4);
    }

    /** How the number with an id is written; of one that rounding moves, only its certain digits. @param {string} id @param {any} value @returns {string} */
    function textAt(id, value) {
      return data.uncertain[id] || textOf(shapeOf(id, data.numbers), value);
    }

    /** Mark what moved, once the changes pause; not by colour alone. */
    function mark() {
      clearTimeout(settling);
      settling = setTimeout(() => {
        const marked = moved;
        moved = new Set();
        for (const element of marked) element.classList.add("moved");
        setTimeout(() => marked.forEach((element) => element.classList.remove("moved")), MARK_MS);
      }, 150);
    }

    /**
     * Give every list as many rows as the results have. The last child of a list is the template of a row, in which
     * "@" stands for the index.
     * @param {any} results
     */
    function lists(results) {
      for (const list of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-list]"))) {
        const items = at(results, (list.dataset.list || "").split("."));
        const template = /** @type {HTMLTemplateElement | null} */ (list.querySelector(":scope > template[data-row]"));
        if (items === undefined || !template) continue;
        const [wanted, before] = [items ? items.length : 0, list.children.length - 1];
        for (let index = before; index > wanted; index--) template.previousElementSibling?.remove();
        for (let index = before; index < wanted; index++) template.before(row(template, index));
        if (before !== wanted) stale = true;
      }
    }

    /** @param {HTMLTemplateElement} template @param {number} index */
    function row(template, index) {
      const made = document.createElement("template");
      made.innerHTML = template.innerHTML.trim().split("@").join(String(index));
      return made.content;
    }

    /** Words that results choose, and what is there only when something holds. @param {any} results */
    function wordsAndFlags(results) {
      for (const element of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-word]"))) {
        const key = at(results, (element.dataset.word || "").split("."));
        if (typeof key !== "string") continue;
        const text = data.words[element.dataset.words + "." + key] || key;
        if (element.textContent !== text) element.textContent = text;
      }
      for (const name of ["when", "unless"]) {
        for (const element of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(`[data-${name}]`))) {
          const value = at(results, (element.dataset[name] || "").split("."));
          if (value !== undefined) element.hidden = holds(value) === (name === "unless");
        }
      }
    }

    /** The command that prints this state. @param {Record<string, any>} settings */
    function command(settings) {
      const element = document.getElementById("command");
      if (!element) return;
      const flags = RLPU.hash.changed(settings, data).map((/** @type {string} */ name) => ` --set ${name}=${[settings[name]].flat().join(",")}`);
      element.textContent = data.command + flags.join("");
    }

    /** Say the computed sentences anew. @param {Record<string, any>} sentences @param {any} results */
    function sentences(sentences, results) {
      let changed = false;
      for (const [name, said] of Object.entries(sentences)) {
        const key = JSON.stringify(said);
        for (const element of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(`[data-sentence="${name}"]`))) {
          if (element.dataset.said === key) continue;
          element.dataset.said = key;
          const nodes = sentence(said, results);
          if (same(element, nodes)) continue; // the build said it already
          element.replaceChildren(...nodes);
          changed = true;
        }
      }
      stale = stale || changed;
    }

    /** Tell whether an element says the same about the same numbers. @param {HTMLElement} element @param {(Node | string)[]} nodes */
    function same(element, nodes) {
      const made = document.createElement("span");
      made.append(...nodes);
      const ids = (/** @type {HTMLElement} */ holder) =>
        [...holder.querySelectorAll("data")].map((number) => number.dataset.number).join(" ");
      const equal = made.textContent === element.textContent && ids(made) === ids(element);
      nodes.splice(0, nodes.length, ...made.childNodes);
      return equal;
    }

    /** @param {[string, Record<string, string>][]} said @param {any} results @returns {(Node | string)[]} */
    function sentence(said, results) {
      /** @type {(Node | string)[]} */
      const nodes = [];
      for (const [key, ids] of said) {
        if (nodes.length && document.documentElement.lang === "en") nodes.push(" ");
        for (const part of data.words["sentence." + key].split(/(\{\w+\})/)) {
          const id = part.startsWith("{") ? ids[part.slice(1, -1)] : "";
          nodes.push(id ? number(id, at(results, id.split("."))) : part);
        }
      }
      return nodes;
    }

    /** @param {string} id @param {any} value */
    function number(id, value) {
      const element = document.createElement("data");
      element.className = "number";
      element.dataset.number = id;
      element.value = RLPU.format.machine(value);
      element.textContent = textAt(id, value);
      return element;
    }

    return {
      number,
      numbers,
      sentences,
      retarget,
      at,
      filled,
      shapeOf: (/** @type {string} */ id) => shapeOf(id, data.numbers),

      /** Numbers came or went. */
      collect() {
        stale = true;
      },

      /** The value last painted under an id, on the page or not; undefined when there is none. @param {string} id */
      value: (/** @type {string} */ id) => at(latest, id.split(".")),

      /** How the number with an id is written. @param {string} id @param {any} value */
      text: textAt,

      /** Paint results, whole or a part; `sentences` in them are said. @param {any} results */
      results(results) {
        lists(results);
        if (results.sentences) sentences(results.sentences, results);
        numbers(results);
        wordsAndFlags(results);
        mark();
      },

      command,
    };
  }

  RLPU.at = at;
  RLPU.Painter = Painter;
})();
