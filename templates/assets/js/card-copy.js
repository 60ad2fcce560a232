// How a card copies, also where the browser has no clipboard for scripts; and how it gets what writes citations.
"use strict";

(function () {
  /** @type {Promise<unknown> | null} */
  let citing = null;

  /** Copy a text from a field. @param {string} text @param {HTMLElement} holder @param {HTMLInputElement | HTMLTextAreaElement} field */
  function copyFromField(text, holder, field) {
    const before = /** @type {HTMLElement | null} */ (document.activeElement);
    holder.hidden = false;
    field.value = text;
    field.focus();
    field.select();
    const done = document.execCommand("copy");
    if (done) before?.focus();
    return done;
  }

  RLPU.cardCopy = {
    /** Copy a text; the field shows it where the reader has to copy by hand. @param {string} text @param {HTMLElement} holder @param {HTMLInputElement | HTMLTextAreaElement} field */
    async copy(text, holder, field) {
      try {
        await navigator.clipboard.writeText(text);
        return true;
      } catch (error) {
        return copyFromField(text, holder, field);
      }
    },

    /** Load what writes citations, which few readers need: cite.js. A saved page has it inside already. */
    cite() {
      citing = citing || Promise.all([RLPU.need("cite-data", () => RLPU.citeData), RLPU.need("cite", () => RLPU.cite)]);
      return citing.catch((error) => { citing = null; throw error; });
    },
  };
})();
