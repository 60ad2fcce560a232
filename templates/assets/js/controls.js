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
      if (list !== undefined) return takeList(list);
      const name = item.name || item.dataset.for || "";
      const changes = hooks.fromControl?.(name, item.value);
      if (changes) return change(changes, true);
      const key = keyOf(name);
      if (!key) return;
      judge(item, key, item.value);
      settle(name, RLPU.hash.parse(key, item.value.trim()));
    }

    /** Take the numbers of a list, if each of them is one. @param {string} name */
    function takeList(name) {
      const key = keyOf(name);
      const texts = boxes(name).map((box) => box.value);
      for (const box of boxes(name)) judge(box, key, texts.map(() => box.value).join(","));
      settle(name, RLPU.hash.parse(key, texts.join(",")));
    }

    /** @param {string} name */
    const keyOf = (name) => data.keys.find((/** @type {any} */ candidate) => candidate.name === name);

    /** Mark a control as wrong, or as right. @param {Control} item @param {any} key @param {string} text what its key is given for it */
    function judge(item, key, text) {
      const label = (item.labels?.[0]?.textContent || item.getAttribute("aria-label") || "").trim();
      const named = label && label !== key.name ? words("live.field", { label, key: key.name }) : key.name;
      const fits = RLPU.hash.parse(key, text.trim()) !== undefined;
      item.setCustomValidity(fits ? "" : words("live.wrong", { key: named, found: item.value, allowed: key.allowed }));
    }

    /** Change a setting, or say every mistake that stands in a control. @param {string} name @param {any} value */
    function settle(name, value) {
      if (value === undefined) say(mistakes(), true);
      else change({ [name]: value }, true);
    }

    /** What is wrong in the controls, a line for each; "" when nothing is. */
    const mistakes = () => all("input, select").map((item) => item.validity.customError && item.validationMessage).filter(Boolean).join("\n");

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
      mistakes,
      lockAndHide,

      /** Nothing can be computed: nothing can be chosen. */
      disable() {
        for (const item of all("input, select, button")) item.setAttribute("disabled", "");
      },
    };
  }

  RLPU.Controls = Controls;
})();
