// Writes results into the page: every <data data-number="path"> whose path the results have, and what goes with them.
"use strict";

(function () {
  const MARK_MS = 1200; // how long a cell that moved stays marked

  /** @typedef {{element: HTMLDataElement, text: Text, path: string[], pattern: string[], shape: string, value: any}} Cell */

  /** @param {any} results @param {string[]} path */
  function at(results, path) {
    let value = results;
    for (const part of path) {
      if (value === null || value === undefined) return undefined;
      value = value[part];
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

  /** @param {any} data the page's live data */
  function Painter(data) {
    /** @type {Cell[]} */
    let cells = [];
    /** @type {Set<HTMLElement>} */
    let moved = new Set();
    let settling = 0;
    const followed = { position: "", response: "" };

    /** @param {HTMLDataElement} element @returns {Cell} */
    function cell(element) {
      const id = element.dataset.number || "";
      const path = id.split(".");
      let pattern = path;
      if (element.closest("#chain, #follow, [data-sentence=prediction]")) {
        if (path[0] === "positions") pattern = ["positions", "@", ...path.slice(2)];
        if (path[0] === "rewards" || path[0] === "advantages") pattern = [path[0], "#"];
      }
      const text = /** @type {Text} */ (element.firstChild || element.appendChild(new Text("")));
      return { element, text, path, pattern, shape: shapeOf(id, data.numbers), value: element.value };
    }

    /** Find all numbers of the page (anew, after rows came or went). */
    function collect() {
      cells = [...document.querySelectorAll("data.number")].map((element) => cell(/** @type {HTMLDataElement} */ (element)));
    }

    /** @param {Cell} cell */
    function retarget(cell) {
      if (cell.pattern === cell.path) return;
      const path = cell.pattern.map((part) => (part === "@" ? followed.position : part === "#" ? followed.response : part));
      if (path[1] !== cell.path[1]) {
        cell.path = path;
        cell.element.dataset.number = path.join(".");
      }
    }

    /** Write every number that the results have; only what changed touches the page. @param {any} results */
    function numbers(results) {
      for (const cell of cells) {
        retarget(cell);
        const value = at(results, cell.path);
        if (value === undefined) continue;
        const machine = RLPU.format.machine(value);
        if (machine === cell.value) continue;
        cell.value = machine;
        cell.element.value = machine;
        const decimals = cell.shape ? data.numbers[cell.shape][0] : 4;
        const text = RLPU.format.text(value, decimals);
        if (text !== cell.text.data) {
          cell.text.data = text;
          moved.add(cell.element);
          const signed = cell.element.parentElement;
          if (signed && signed.classList.contains("signed")) signed.classList.toggle("negative", text.startsWith("−"));
        }
      }
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

    /** Kinds, clip marks, the selected row. @param {any} state */
    function rows(state) {
      for (const row of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("tr[data-row]"))) {
        const index = Number(row.dataset.row);
        const position = state.positions[index];
        const selected = index === state.selected.index;
        const wanted = position.kind + (selected ? " selected" : "");
        if (row.className !== wanted) {
          row.className = wanted;
          const kind = /** @type {HTMLElement | null} */ (row.querySelector("[data-kind]"));
          if (kind) {
            kind.textContent = data.words["kind." + position.kind];
            kind.hidden = kind.dataset.kind === "unless-token" && position.kind === "token";
          }
          const pick = row.querySelector("button.pick");
          if (pick) pick.setAttribute("aria-pressed", String(selected));
        }
        const clip = /** @type {HTMLElement | null} */ (row.querySelector("[data-clip]"));
        if (clip) clip.hidden = !position.is_clipped;
      }
    }

    /** @param {any} position */
    function shortPlace(position) {
      return filled(data.words["place.short_position"], { response: position.response + 1, position: position.position + 1 });
    }

    /** @param {any} position */
    function place(position) {
      const key = position.position < 0 ? "place.prompt" : "place.position";
      return filled(data.words[key], { response: position.response + 1, position: position.position + 1 });
    }

    /** The chain's words and marks for the selected token. @param {any} state */
    function chosen(state) {
      const position = state.positions[state.selected.index];
      for (const element of document.querySelectorAll("[data-place]")) element.textContent = place(position);
      for (const element of document.querySelectorAll("[data-action]")) element.textContent = String(position.action);
      for (const list of document.querySelectorAll(".by-action")) {
        [...list.children].forEach((item, index) => item.classList.toggle("taken", index === position.action));
      }
      const clip = position.advantage === 0 ? "neutral" : position.is_clipped ? "is_clipped" : "not_clipped";
      for (const element of document.querySelectorAll("[data-clip-word]")) element.textContent = data.words["chain." + clip];
      const cut = position.is_clipped || position.advantage === 0;
      for (const element of document.querySelectorAll("[data-unless-cut]")) element.toggleAttribute("hidden", cut);
      for (const element of document.querySelectorAll("[data-indicator]")) {
        element.textContent = Number(/** @type {HTMLElement} */ (element).dataset.indicator) === position.action ? "1" : "0";
      }
    }

    /** Settings as words, and the command for this state. @param {any} state */
    function settings(state) {
      for (const element of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-setting]"))) {
        const value = state.settings[element.dataset.setting || ""];
        element.textContent = data.words["setting.normalization_" + value] || [value].flat().join(", ");
      }
      const command = document.getElementById("command");
      if (command) {
        const changed = data.keys.map((/** @type {any} */ key) => key.name).filter((/** @type {string} */ name) =>
          JSON.stringify(state.settings[name]) !== JSON.stringify(data.settings[name]));
        const flags = changed.map((/** @type {string} */ name) => ` --set ${name}=${[state.settings[name]].flat().join(",")}`);
        command.textContent = "python build.py state" + flags.join("");
      }
      const skipped = document.getElementById("skipped");
      if (skipped) skipped.hidden = !state.skipped;
    }

    /** The table of updates done: a row for each. @param {any} state */
    function history(state) {
      const body = document.getElementById("history-rows");
      if (!body || body.children.length === state.history.length) return;
      while (body.children.length > state.history.length) body.lastElementChild?.remove();
      while (body.children.length < state.history.length) body.append(update(body.children.length, state));
      for (const element of document.querySelectorAll("[data-history]")) {
        element.toggleAttribute("hidden", (/** @type {HTMLElement} */ (element).dataset.history === "empty") === state.history.length > 0);
      }
      collect();
    }

    /** The clip chart's table: the points on the curves, then the positions that lie on none. @param {any} state */
    function points(state) {
      const body = document.getElementById("plateau-rows");
      const { points: drawn, neutral, beyond } = state.plateaus;
      const indices = [...drawn.map((/** @type {any} */ point) => point.index), ...neutral, ...beyond];
      const key = [drawn.length, ...indices].join(" "); // which positions, and how many of them on a curve
      if (!body || body.dataset.rows === key) return;
      body.dataset.rows = key;
      body.replaceChildren(...indices.map((index, n) => {
        const row = document.createElement("tr");
        const head = document.createElement("th");
        head.scope = "row";
        head.textContent = shortPlace(state.positions[index]);
        row.append(head);
        const on = n < drawn.length; // on a curve, so that it has a height
        add(row, `positions.${index}.advantage`, "q-adv", state);
        add(row, on ? `plateaus.points.${n}.ratio` : `positions.${index}.ratio`, "q-ratio", state);
        if (on) add(row, `plateaus.points.${n}.height`, "", state);
        else row.insertCell().textContent = "—";
        return row;
      }));
      collect();
    }

    /** Add a cell with a number. @param {HTMLTableRowElement} row @param {string} id @param {string} quantity @param {any} results */
    function add(row, id, quantity, results) {
      const cell = row.insertCell();
      cell.className = quantity;
      cell.append(number(id, at(results, id.split("."))));
    }

    /** The row of one update. @param {number} n from 0 @param {any} state */
    function update(n, state) {
      const row = document.createElement("tr");
      const head = document.createElement("th");
      head.scope = "row";
      head.textContent = String(n + 1);
      row.append(head);
      const id = `history.${n}.`;
      add(row, id + "loss", "", state);
      add(row, id + "kl", "q-kl", state);
      add(row, id + "clipped", "q-clip", state);
      state.W.forEach((/** @type {number[]} */ weights, /** @type {number} */ j) => {
        weights.forEach((_, v) => add(row, `${id}W.${j}.${v}`, "q-par", state));
      });
      return row;
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
      if (changed) collect();
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
      const shape = shapeOf(id, data.numbers);
      element.textContent = RLPU.format.text(value, shape ? data.numbers[shape][0] : 4);
      return element;
    }

    collect();
    return {
      place,
      number,
      collect,
      at,
      shapeOf: (/** @type {string} */ id) => shapeOf(id, data.numbers),
      filled,

      /** Paint a whole state. @param {any} state */
      state(state) {
        const position = state.positions[state.selected.index];
        followed.position = String(state.selected.index);
        followed.response = String(position.response);
        history(state);
        points(state);
        sentences(state.sentences, state);
        numbers(state);
        rows(state);
        chosen(state);
        settings(state);
        mark();
      },

      /** Paint facts of the run and the sentences about them. @param {any} story */
      story(story) {
        sentences(story.sentences, story);
        numbers({ facts: story.facts });
      },

      /** Paint the curves' tables. @param {any[]} curves */
      curves(curves) {
        numbers({ curves });
      },
    };
  }

  RLPU.Painter = Painter;
})();
