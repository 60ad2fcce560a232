// "Check this state now": the core's own checks, run on whatever state is shown.
"use strict";

(function () {
  const { live } = RLPU;
  const block = document.getElementById("check");
  if (!block || !live) return;
  const { data, painter, words } = live;
  const PREFIX = "check.";
  const ORDER = ["gradient", "weights", "probabilities", "logit_gradients", "shares"]; // MicroPython's dicts have none

  /** @type {string | null} which state the result belongs to */
  let checked = null;
  let said = "";

  /** @param {string} id */
  const element = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
  const view = element("check-view");
  const button = element("check-run");

  /** Everything that the checks depend on: all settings but the selected token. @param {any} settings */
  function keyOf(settings) {
    return JSON.stringify(data.keys.map((/** @type {any} */ key) => key.name)
      .filter((/** @type {string} */ name) => name !== "at").map((/** @type {string} */ name) => settings[name]));
  }

  /** @param {string} tag @param {string} className @param {...(Node | string)} content */
  function made(tag, className, ...content) {
    const result = document.createElement(tag);
    if (className) result.className = className;
    result.append(...content);
    return result;
  }

  /** @param {string} className @param {...(Node | string)} content */
  function head(className, ...content) {
    const result = made("th", className, ...content);
    result.setAttribute("scope", "row");
    return result;
  }

  /**
   * Return a number of the check, written as the number id is. It keeps its value when the page goes on.
   * @param {string} id @param {any} value @param {string} shown what stands after the prefix
   */
  function number(id, value, shown) {
    const result = painter.number(id, value);
    result.dataset.number = PREFIX + shown;
    return result;
  }

  /** The step, and the settings that differ from the default ones. @param {any} settings */
  function stateChecked(settings) {
    const names = RLPU.hash.changed(settings, data).filter((/** @type {string} */ name) => !["step", "at"].includes(name));
    const pair = (/** @type {string} */ name, /** @type {Node | string} */ value) =>
      made("div", "", made("dt", "", name), made("dd", "", value));
    const pairs = names.map((/** @type {string} */ name) => {
      const value = settings[name], id = "settings." + name;
      const word = data.words["setting." + name + "_" + value] || [value].flat().join(", ");
      return pair(words("setting." + name), painter.shapeOf(id) ? number(id, value, id) : word);
    });
    return [pair(words("readout.step"), number("step", settings.step, "step")), ...pairs,
      pair(words("check.others"), words("check.defaults"))];
  }

  /** @param {any} found what compute.live.check returned @param {any} settings */
  function show(found, settings) {
    const template = /** @type {HTMLTemplateElement} */ (element("check-template"));
    const content = /** @type {DocumentFragment} */ (template.content.cloneNode(true));
    const part = (/** @type {string} */ selector) => /** @type {Element} */ (content.querySelector(selector));
    part("dl").append(...stateChecked(settings));
    /** @type {string[]} */
    const failing = [];
    for (const name of Object.keys(found.checks).sort((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b))) {
      const check = found.checks[name];
      if (!check.holds) failing.push(name);
      const sign = made("span", "sign", check.holds ? "✓" : "✗");
      sign.setAttribute("aria-hidden", "true");
      const [error, allowed] = ["error", "allowed"].map((field) => {
        const id = ["checks", name, field].join(".");
        return made("td", "", number("evidence." + id, check[field], id));
      });
      part("[data-check=checks]").append(made("tr", "", head("words", words("check." + name)),
        made("td", check.holds ? "word" : "word fails", sign, words(check.holds ? "check.holds" : "check.fails")), error, allowed));
    }
    found.gradient.forEach((/** @type {any[]} */ row, /** @type {number} */ j) => row.forEach((value, v) => {
      const at = "." + j + "." + v;
      const slope = number("evidence.finite_differences" + at, found.finite_differences[j][v], "finite_differences" + at);
      part("[data-check=slopes]").append(made("tr", "",
        head("", made("span", "q-par", "W"), made("sub", "", j + "," + v)),
        made("td", "q-grad", number("evidence.gradient" + at, value, "gradient" + at)), made("td", "", slope)));
    }));
    view.replaceChildren(content);
    for (const box of view.querySelectorAll(".scroll")) sizes.observe(box);
    painter.collect();
    const names = failing.map((name) => words("check." + name)).join(words("check.and"));
    said = failing.length ? words("check.some_fail", { names }) : words("check.all_hold");
    if (failing.includes("gradient")) said += words("check.kink");
    block?.classList.add("done");
  }

  // Boxes that scroll sideways take the focus, as long as they do scroll.
  const sizes = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      if (target.scrollWidth > target.clientWidth) target.setAttribute("tabindex", "0");
      else target.removeAttribute("tabindex");
    }
  });

  /** Say whose result it is. @param {any} settings of the state shown */
  function tell(settings) {
    if (checked === null) return;
    const former = checked !== keyOf(settings);
    const text = former ? words("check.former", { said }) : said;
    const result = element("check-result");
    if (result.textContent !== text) result.textContent = text;
    block?.classList.toggle("former", former);
    button.textContent = words("check.again");
  }

  button.addEventListener("click", async () => {
    const result = element("check-result");
    result.textContent = words("check.running");
    try {
      const core = await live.core();
      const settings = { ...live.settings() };
      show(RLPU.engine.call(core, "check", settings), settings);
      checked = keyOf(settings);
      tell(settings);
    } catch (error) {
      result.textContent = words("live.failed");
    }
  });

  live.onChange((/** @type {any} */ state) => tell(state.settings));
  RLPU.check = true;
})();
