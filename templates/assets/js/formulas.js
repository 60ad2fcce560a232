// Formulas with the results put in. Texts are joined here, never computed with: every number is the core's own.
"use strict";

(function () {
  /** Thrown where a number that a formula needs is absent. */
  class Absent extends Error {}

  /** A number behind an operator: a negative one stands in parentheses. @param {string} text */
  function signed(text) {
    return text.startsWith("−") ? `(${text})` : text;
  }

  /** Writes numbers of results, as the page shows them. */
  class Writer {
    /** @param {any} painter */
    constructor(painter) {
      this.painter = painter;
    }

    /** The value of a number. @param {string} id */
    value(id) {
      return this.painter.value(id);
    }

    /** @param {string} id @returns {string} */
    n(id) {
      const value = this.value(id);
      if (value === null || value === undefined) throw new Absent(id);
      return this.painter.text(id, value);
    }

    /** @param {string} id */
    s(id) {
      return signed(this.n(id));
    }

    /**
     * Return the lines of a text in which {id} stands for a number, and a star in an id for what was captured.
     * @param {string} template @param {string[]} captured
     */
    lines(template, captured) {
      const filled = template.replace(/([×−+/] )?\{([^{}]+)\}/g, (_, operator, pattern) => {
        const stars = [...captured];
        const id = pattern.split(".").map((/** @type {string} */ part) => (part === "*" ? stars.shift() : part)).join(".");
        return operator ? operator + this.s(id) : this.n(id);
      });
      return filled.split("\n");
    }
  }

  RLPU.formulas = {
    Absent,
    Writer,

    /**
     * A page's own ways to fill formulas, by the shape of an id.
     * @type {Record<string, (state: any, captured: string[]) => string[]>}
     */
    own: {},

    /** A page's own placeholders of labels. @type {(captured: string[]) => Record<string, any>} */
    placeholders: () => ({}),
  };
})();
