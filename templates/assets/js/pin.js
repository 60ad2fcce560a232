// One run is kept as A while the page goes on as B: both side by side, with the differences that the core computes.
"use strict";

(function () {
  const { live } = RLPU;
  const block = document.getElementById("pin");
  if (!block || !live) return;
  const { data, painter, words } = live;
  const READOUTS = ["step", "loss", "loss_next", "counted", "kl", "clipped"];
  const COLOURS = /** @type {Record<string, string>} */ ({ kl: "q-kl", clipped: "q-clip" });
  const GROUPS = [["W", "q-par"], ["gradient", "q-grad"], ["W_next", "q-par"]];
  const CURVES = ["loss", "kl", "clipped"];

  /** @typedef {{element: HTMLDataElement, id: string}} Cell */

  /** @type {any} */
  let core = null;
  /** @type {Record<string, any> | null} the settings of A */
  let pinned = null;
  /** @type {{a: Cell, b: HTMLElement, difference: Cell}[]} */
  let rows = [];
  /** @type {HTMLElement[]} what stands in the charts' tables */
  let columns = [];
  let listed = "";

  /** @param {string} id */
  const element = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
  const view = element("pin-view");

  // --- numbers ---

  /**
   * Return a number under the id prefix + id, written as the number id is. Row, column and card say what it is.
   * @param {string} prefix @param {string} id @param {any} value
   * @returns {HTMLDataElement}
   */
  function number(prefix, id, value) {
    const made = painter.number(id, value);
    made.dataset.number = prefix + id;
    return made;
  }

  /** @param {Cell} cell @param {any} value */
  function write({ element, id }, value) {
    const machine = RLPU.format.machine(value);
    const [decimals] = data.numbers[painter.shapeOf(id)];
    const text = RLPU.format.text(value, decimals);
    if (element.value !== machine) element.value = machine;
    if (element.textContent !== text) /** @type {Text} */ (element.firstChild).data = text;
  }

  /** @param {string} tag @param {string} className @param {...(Node | string)} content */
  function made(tag, className, ...content) {
    const result = document.createElement(tag);
    if (className) result.className = className;
    result.append(...content);
    return result;
  }

  /** @param {...(Node | string)} content */
  function head(...content) {
    const result = made("th", "", ...content);
    result.setAttribute("scope", "row");
    return result;
  }

  /** @param {number} j @param {number} v */
  function parameter(j, v) {
    return [made("span", "q-par", "W"), made("sub", "", j + "," + v)];
  }

  /**
   * Return the three cells of one number: A, B, and B − A.
   * @param {string} id @param {any} state @param {string} colour
   */
  function three(id, state, colour) {
    const path = id.split(".");
    const value = painter.at(state, path);
    const [a, b, difference] = ["a.", "", "difference."].map((prefix) => number(prefix, id, prefix ? null : value));
    rows.push({ a: { element: a, id }, b, difference: { element: difference, id } });
    return [made("td", colour + " first", a), made("td", colour, b), made("td", colour + " difference", difference)];
  }

  // --- the view ---

  /** Build the tables for this shape of parameters. @param {any} state */
  function build(state) {
    const template = /** @type {HTMLTemplateElement} */ (element("pin-template"));
    const content = /** @type {DocumentFragment} */ (template.content.cloneNode(true));
    const body = (/** @type {string} */ name) => /** @type {Element} */ (content.querySelector(`[data-pin=${name}]`));
    rows = [];
    listed = "";
    body("readouts").append(...READOUTS.map((id) => {
      const label = id === "clipped" ? data.numbers[id][1] : words("readout." + id);
      return made("tr", "", head(label), ...three(id, state, COLOURS[id] || ""));
    }));
    state.W.forEach((/** @type {any[]} */ row, /** @type {number} */ j) => row.forEach((_, v) => {
      const cells = GROUPS.flatMap(([name, colour]) => three([name, j, v].join("."), state, colour));
      body("parameters").append(made("tr", "", head(...parameter(j, v)), ...cells));
    }));
    view.replaceChildren(content);
    for (const box of view.querySelectorAll(".scroll")) sizes.observe(box);
    painter.collect(); // B's numbers are the page's own
  }

  // Boxes that scroll sideways take the focus, as long as they do scroll.
  const sizes = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      if (target.scrollWidth > target.clientWidth) target.setAttribute("tabindex", "0");
      else target.removeAttribute("tabindex");
    }
  });

  /** @param {string} name */
  function nameOf(name) {
    if (name === "at") return words("live.selected");
    return words(name === "step" ? "readout.step" : "setting." + name);
  }

  /** @param {string} prefix @param {string} name @param {any} value */
  function setting(prefix, name, value) {
    const id = name === "step" ? name : "settings." + name;
    if (painter.shapeOf(id)) return number(prefix, id, value);
    if (name === "at") {
      const [response, position] = value.split(".").map(Number);
      return live.place({ response, position });
    }
    return data.words["setting." + name + "_" + value] || [value].flat().join(", ");
  }

  /** List the settings that differ. @param {any} settings of B @returns {string[]} */
  function list(settings) {
    const names = RLPU.hash.changed(settings, data, pinned);
    const key = JSON.stringify(names.map((/** @type {string} */ name) => [name, pinned?.[name], settings[name]]));
    if (key === listed) return names;
    listed = key;
    const body = /** @type {HTMLElement} */ (view.querySelector("[data-pin=settings]"));
    body.replaceChildren(...names.map((/** @type {string} */ name) => made("tr", "", head(nameOf(name)),
      made("td", "", setting("a.", name, pinned?.[name])), made("td", "", setting("", name, settings[name])))));
    /** @type {HTMLElement} */ (body.closest("figure")).hidden = !names.length;
    painter.collect();
    return names;
  }

  /** Show A, B and B − A. @param {any} state the page's: B */
  function show(state) {
    if (!pinned || !core || !state) return;
    /** @type {any} */
    let found;
    try {
      found = RLPU.engine.call(core, "compare", state.settings, pinned);
    } catch (error) {
      tell("live.failed");
      return;
    }
    if (!rows.length) build(state);
    let same = true;
    for (const { a, difference } of rows) {
      const path = a.id.split(".");
      const [left, right] = [painter.at(found.other, path), painter.at(state, path)];
      const value = painter.at(found.difference, path);
      write(a, left);
      write(difference, value);
      same = same && (value === 0 || value === null && left === right);
    }
    const names = list(state.settings);
    tell(!same ? "pin.differ" : names.length ? "pin.same_numbers" : "pin.same");
  }

  /** Say one sentence, once. @param {string} key */
  function tell(key) {
    const status = element("pin-status");
    const text = key ? words(key) : "";
    if (status.textContent !== text) status.textContent = text;
  }

  // --- the charts ---

  /** Draw A's curve, and put its numbers into the charts' tables. */
  function draw() {
    columns.forEach((cell) => cell.remove());
    columns = [];
    if (!pinned) {
      RLPU.charts.pin(null);
      return;
    }
    const { beta, step } = pinned;
    const curve = RLPU.engine.call(core, "curve", pinned, beta);
    RLPU.charts.pin({ curve, step });
    const place = data.betas.includes(beta) ? data.betas.indexOf(beta) : data.betas.length;
    for (const quantity of CURVES) {
      const table = document.querySelector(`#chart-${quantity} details table`);
      if (!table) continue;
      const title = made("th", "", "A");
      title.setAttribute("scope", "col");
      columns.push(title);
      table.querySelector("thead tr")?.append(title);
      table.querySelectorAll("tbody tr").forEach((row, n) => {
        if (curve[quantity][n] === undefined) return;
        const cell = made("td", "", number("a.", ["curves", place, quantity, n].join("."), curve[quantity][n]));
        columns.push(cell);
        row.append(cell);
      });
    }
  }

  // --- what readers do ---

  /** Keep settings as A; or none. @param {Record<string, any> | null} settings */
  function keep(settings) {
    pinned = settings && { ...settings };
    for (const id of ["pin-swap", "pin-clear"]) element(id).hidden = !pinned;
    try {
      draw();
    } catch (error) {
      tell("live.failed");
    }
  }

  element("pin-set").addEventListener("click", async () => {
    const settings = { ...live.settings() };
    try {
      core = await live.core();
    } catch (error) {
      tell("live.failed");
      return;
    }
    keep(settings);
    show(live.state());
  });

  element("pin-swap").addEventListener("click", () => {
    const former = { ...pinned };
    keep(live.settings());
    live.change(former);
  });

  element("pin-clear").addEventListener("click", () => {
    keep(null);
    rows = [];
    view.replaceChildren();
    painter.collect();
    tell("");
    element("pin-set").focus();
  });

  live.onChange(show);
  RLPU.pin = true;
})();
