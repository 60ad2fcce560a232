// The controls of a page, in one form or several: written from the settings, read into changes of them.
"use strict";

(function () {
  /** @typedef {HTMLInputElement | HTMLSelectElement} Control */

  /** @param {any} value a setting, as its control and the address write it */
  const textOf = (value) => [value].flat().join(",");

  /**
   * A control of key is named as the key is; beside it may stand a companion, [data-for=key], boxes for the numbers of a
   * list, [data-list-key=key], and output[data-of=key]. All are inside form[data-controls], a key's inside .control.
   * @param {any} data the page's live data
   * @param {any} page what the controls need of the model: change, rest, start, say, words, fromAddress, hooks
   */
  function Controls(data, { change, rest, start, say, words, fromAddress, hooks }) {
    const forms = /** @type {NodeListOf<HTMLFormElement>} */ (document.querySelectorAll("form[data-controls]"));

    /** @param {string} selector @returns {any[]} */
    const all = (selector) => [...forms].flatMap((form) => [...form.querySelectorAll(selector)]);
    /** @param {string} name @returns {Control | undefined} */
    const control = (name) => all(`[name="${name}"]`)[0];
    /** @param {string} name @returns {HTMLInputElement[]} */
    const boxes = (name) => all(`[data-list-key="${name}"]`);

    /** A box that is being typed into is left alone, but not when the address gave the setting. @param {Control} item */
    const isTyped = (item) => item === document.activeElement && item.matches("[type=number], [type=text], [type=search]") && !fromAddress();

    /** Write one setting into its control. @param {string} name @param {any} value */
    function fillControl(name, value) {
      const item = control(name);
      if (!item || isTyped(item)) return;
      const text = hooks.toControl?.(name, value) ?? textOf(value);
      if (item.value !== text) item.value = text;
      item.setCustomValidity("");
    }

    /** Write the numbers of a list. @param {string} name @param {any} value @param {any} state */
    function fillBoxes(name, value, state) {
      const list = Array.isArray(value) ? value : hooks.list?.(name, state);
      if (!list) return;
      boxes(name).forEach((item, index) => {
        if (isTyped(item)) return;
        item.value = String(list[index]);
        item.setCustomValidity("");
      });
    }

    /** Write the settings into the controls. @param {Record<string, any>} settings @param {any} state */
    function fill(settings, state) {
      for (const { name } of data.keys) {
        fillControl(name, settings[name]);
        fillBoxes(name, settings[name], state);
      }
      for (const item of all("[data-for]")) {
        if (item !== document.activeElement) item.value = textOf(settings[item.dataset.for]);
      }
      for (const output of all("output[data-of]")) {
        const name = output.dataset.of;
        output.textContent = control(name)?.value ?? textOf(settings[name]);
      }
    }

    /** Take a control's value, if its key allows it. @param {Control} item */
    function take(item) {
      const list = item.dataset.listKey;
      if (list !== undefined) return tell(item, list, boxes(list).map((box) => box.value).join(","));
      const name = item.name || item.dataset.for || "";
      const changes = hooks.fromControl?.(name, item.value);
      if (changes) return change(changes, true);
      return tell(item, name, item.value);
    }

    /** @param {Control} item @param {string} name @param {string} text */
    function tell(item, name, text) {
      const key = data.keys.find((/** @type {any} */ candidate) => candidate.name === name);
      if (!key) return;
      const value = RLPU.hash.parse(key, text.trim());
      item.setCustomValidity(value === undefined ? words("live.wrong", { key: name, found: text, allowed: key.allowed }) : "");
      if (value === undefined) say(item.validationMessage);
      else change({ [name]: value }, true);
    }

    /** A teacher's link: lock= disables controls, hide= takes them away. @param {(what: string, name: string) => boolean} listed */
    function lockAndHide(listed) {
      for (const { name } of data.keys) {
        const [locked, hidden] = [listed("lock", name), listed("hide", name)];
        const parts = all(`[name="${name}"], [data-for="${name}"], [data-list-key="${name}"]`);
        for (const holder of new Set(parts.map((part) => part.closest(".control")))) {
          if (!holder) continue;
          holder.hidden = hidden;
          holder.querySelectorAll("input, select, button")
            .forEach((/** @type {HTMLElement} */ part) => part.toggleAttribute("disabled", locked));
        }
      }
    }

    for (const form of forms) {
      form.hidden = false;
      form.addEventListener("submit", (event) => event.preventDefault());
      form.addEventListener("input", (event) => take(/** @type {HTMLInputElement} */ (event.target)));
      form.addEventListener("change", rest);
      form.addEventListener("focusin", start, { once: true });
    }
    RLPU.view.start();
    for (const button of all("[data-defaults]")) button.addEventListener("click", () => change({ ...data.settings }));

    return {
      fill,
      lockAndHide,

      /** Nothing can be computed: nothing can be chosen. */
      disable() {
        for (const item of all("input, select, button")) item.setAttribute("disabled", "");
      },
    };
  }

  RLPU.Controls = Controls;
})();
