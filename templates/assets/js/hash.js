// The state in the URL hash: read with the same rules as `build.py state --set`, written in one fixed order.
"use strict";

(function () {
  const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;
  // Keys of the hash that are not settings of the state.
  const OTHERS = ["v", "show", "hide", "lock", "only", "theme"];

  /** @param {string} text @param {{least?: number, above?: number, below?: number, most?: number}} bounds */
  function number(text, { least = -Infinity, above = -Infinity, below = Infinity, most = Infinity }) {
    const plain = text.replace(/^−/, "-"); // the sign that the pages write
    const value = NUMBER.test(plain) ? Number(plain) + 0 : NaN;
    const fine = Number.isFinite(value) && value >= least && value > above && value < below && value <= most;
    return fine ? value : undefined;
  }

  /** @param {any} key @param {string} text */
  function numbers(key, text) {
    const values = text.split(",").map((part) => number(part.trim(), key.bounds));
    return values.length === key.count && !values.includes(undefined) ? values : undefined;
  }

  /** @param {any} key @param {string} text */
  function whole(key, text) {
    const value = /^\d{1,12}$/.test(text) ? number(text, key.bounds) : undefined;
    return value !== undefined && value <= key.most ? value : undefined;
  }

  /** @param {any} key @param {string} text */
  function token(key, text) {
    const match = /^(\d{1,3})\.(\d{1,3})$/.exec(text);
    if (!match) return undefined;
    const [response, position] = [Number(match[1]), Number(match[2])];
    return position < (key.lengths[response] || 0) ? response + "." + position : undefined;
  }

  /**
   * Return the value that a text stands for, or undefined when the key does not allow it.
   * @param {any} key one entry of the schema
   * @param {string} text
   * @returns {any}
   */
  function parse(key, text) {
    const isWord = key.words.includes(text);
    if (key.kind === "choice") return isWord ? text : undefined;
    if (key.kind === "listed") return key.words.map(Number).find((/** @type {number} */ word) => word === number(text, {}));
    if (key.kind === "whole") return whole(key, text);
    if (key.kind === "token") return token(key, text);
    if (key.kind === "text") return [...text].length <= key.most ? text : undefined;
    if (key.kind === "rewards") return isWord ? text : numbers(key, text);
    return key.kind === "numbers" ? numbers(key, text) : number(text, key.bounds);
  }

  /** The id that a number of an earlier edition has now; a * stands for the same index in both. @param {string} id @param {Record<string, string>} numbers */
  function renamed(id, numbers) {
    const parts = id.split(".");
    const shape = parts.map((part) => (/^\d+$/.test(part) ? "*" : part)).join(".");
    const indices = parts.filter((part) => /^\d+$/.test(part));
    return typeof numbers[shape] === "string" ? numbers[shape].replace(/\*/g, () => indices.shift() || "") : id;
  }

  RLPU.hash = {
    parse,

    /**
     * Read a hash: the settings that it gives, other keys, and what is wrong with it.
     * @param {string} hash
     * @param {any} data the page's live data
     */
    read(hash, data) {
      const text = hash.replace(/^#/, "");
      /** @type {Record<string, any>} */
      const settings = {};
      /** @type {Record<string, string>} */
      const others = {};
      /** @type {{key: string, found: string, allowed: string, unknown?: boolean}[]} */
      const wrong = [];
      const moved = data.moved || { keys: {}, numbers: {} }; // names of earlier editions
      if (!text.includes("=")) return { settings, others, wrong, plain: text };
      for (const pair of text.split("&")) {
        if (!pair) continue;
        const [old, ...rest] = pair.split("=");
        const name = typeof moved.keys[old] === "string" ? moved.keys[old] : old;
        let found = rest.join("=");
        try {
          found = decodeURIComponent(found.replace(/\+/g, "%2B"));
        } catch (error) {
          // A stray % stays as it is; the check below names it.
        }
        const key = data.keys.find((/** @type {any} */ candidate) => candidate.name === name);
        const twice = text.split("&").filter((other) => other.split("=")[0] === name);
        if (key && twice.length > 1) { // which one is meant? none is taken
          if (!wrong.some((item) => item.key === name)) wrong.push({ key: name, found: twice.join("&"), allowed: key.allowed });
        } else if (key) {
          const value = parse(key, found.trim());
          if (value === undefined) wrong.push({ key: name, found, allowed: key.allowed });
          else settings[name] = value;
        } else if (OTHERS.includes(name)) {
          if (name === "v" && found !== String(data.schema)) wrong.push({ key: name, found, allowed: String(data.schema) });
          if (name === "theme" && !/^(light|dark)$/.test(found)) wrong.push({ key: name, found, allowed: "light, dark" });
          others[name] = name === "show" ? renamed(found, moved.numbers) : found;
        } else {
          const names = data.keys.map((/** @type {any} */ candidate) => candidate.name).concat(OTHERS);
          wrong.push({ key: name, found, allowed: names.join(", "), unknown: true });
        }
      }
      return { settings, others, wrong, plain: "" };
    },

    /**
     * Return the keys whose settings differ from others, the default ones unless others are given.
     * @param {any} settings @param {any} data @param {any} [former] @returns {string[]}
     */
    changed(settings, data, former = data.settings) {
      return data.keys.map((/** @type {any} */ key) => key.name)
        .filter((/** @type {string} */ name) => JSON.stringify(settings[name]) !== JSON.stringify(former?.[name]));
    },

    /**
     * Write settings as the canonical hash, every key in the schema's order.
     * @param {any} settings
     * @param {any} data
     * @param {Record<string, string>} [others]
     */
    write(settings, data, others = {}) {
      const pairs = data.keys.map((/** @type {any} */ key) => {
        const text = [settings[key.name]].flat().join(",");
        return key.name + "=" + (key.kind === "text" ? encodeURIComponent(text) : text);
      });
      const kept = OTHERS.filter((name) => name in others && name !== "v");
      return ["v=" + data.schema, ...pairs, ...kept.map((name) => name + "=" + encodeURIComponent(others[name]))].join("&");
    },
  };
})();
