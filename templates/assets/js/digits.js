// The experiment's own part of being live: parts are loaded when a state needs them; the grid picks an input.
"use strict";

(function () {
  const base = document.currentScript instanceof HTMLScriptElement ? document.currentScript.src : "";
  const said = document.getElementById("live-said");
  /** @type {Map<string, Promise<any>>} parts by file, loaded or on their way */
  const loaded = new Map();
  /** @type {any[] | null} the curves of all betas */
  let curves = null;

  const inCore = new Set();
  const live = RLPU.live = RLPU.Live({ status: () => "", ready, paint, fixed: (/** @type {string} */ id) => id.startsWith("digits.run.") });
  if (!live) return;
  const { data, words } = live;

  /** Run a part's script, and hand the part on. @param {string} file */
  function part(file) {
    if (!loaded.has(file)) {
      loaded.set(file, new Promise((resolve, reject) => {
        const there = /** @type {any} */ (globalThis).RLPU_PARTS_OF_DIGITS?.[file];
        if (there) return resolve(there); // in a saved page
        const script = document.createElement("script");
        script.src = new URL("../../data/" + file, base).href;
        script.onload = () => resolve(/** @type {any} */ (globalThis).RLPU_PARTS_OF_DIGITS[file]);
        script.onerror = () => { loaded.delete(file); reject(new Error(file)); };
        document.head.append(script);
      }));
    }
    return /** @type {Promise<any>} */ (loaded.get(file));
  }

  /** The files of a state that are not in the core yet. @param {any} settings */
  function missing(settings) {
    const { grids, checkpoints } = data.parts;
    const wanted = checkpoints.filter((/** @type {any} */ entry) => entry.seed === settings.seed &&
      (entry.beta === null || entry.beta === settings.beta && entry.updates.includes(settings.update)));
    const files = [grids[String(settings.beta)], ...wanted.map((/** @type {any} */ entry) => entry.file)];
    return files.filter((file) => file && !inCore.has(file));
  }

  /** Load what settings need, before they are shown. @param {any} settings @param {any} core */
  async function ready(settings, core) {
    try {
      const load = missing(settings).map(async (file) => {
        RLPU.engine.call(core, "load", await part(file));
        inCore.add(file);
      });
      [curves] = await Promise.all([part(data.parts.curves), ...load]); // captions speak of the curves drawn
    } catch (error) {
      const status = document.getElementById("live-status");
      if (status) status.textContent = words("digits.failed");
      throw error;
    }
  }

  /** @param {any} state */
  function paint(state) {
    const { grid, settings, shipped } = state.digits;
    for (const cell of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("#digits-grid button[data-a]"))) {
      const [a, b] = [Number(cell.dataset.a), Number(cell.dataset.b)];
      level(cell, grid ? grid[a][b] : null);
      cell.classList.toggle("chosen", a === settings.a && b === settings.b);
    }
    for (const cell of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("td[data-u]"))) {
      const [u, v] = [Number(cell.dataset.u), Number(cell.dataset.v)];
      const field = cell.dataset.level;
      if (field) level(cell, shipped ? state.digits.trajectories[10 * u + v][field] : null);
      cell.classList.toggle("chosen", u === settings.first && v === settings.second);
      cell.classList.toggle("right", u === state.digits.right.u && v === state.digits.right.v);
    }
    const text = document.activeElement?.closest(".part") ? document.querySelector("[data-sentence=picked]")?.textContent : "";
    if (said) said.textContent = text || "";
  }

  /** Shade a cell by a value from 0 to 1; the number stands in it too. @param {HTMLElement} cell @param {any} value */
  function level(cell, value) {
    const name = typeof value === "number" ? "level-" + value.toFixed(1).replace(".", "") : "level-none";
    const old = [...cell.classList].find((item) => item.startsWith("level-"));
    if (old === name) return;
    if (old) cell.classList.remove(old);
    cell.classList.add(name);
  }

  /** Put the chosen beta's curves into a figure, its name, and its update. @param {any} figure @param {any} state */
  function renew(figure, state) {
    const curve = state && curves && curves.find((entry) => entry.beta === state.digits.settings.beta);
    if (!curve) return figure;
    for (const trace of figure.data) {
      const values = RLPU.at(curve, trace.meta.split("."));
      trace.y = values.map((/** @type {any} */ value) => (typeof value === "string" ? null : value));
    }
    Object.assign(figure.layout.shapes[0], { x0: state.digits.settings.update, x1: state.digits.settings.update });
    figure.layout.xaxis.title.text = words("digits.update_at", { beta: curve.beta });
    return figure;
  }
  for (const name of ["digits-reward", "digits-kl"]) RLPU.charts.renew[name] = renew;

  document.getElementById("digits-grid")?.addEventListener("click", (event) => {
    const cell = /** @type {HTMLElement | null} */ (/** @type {HTMLElement} */ (event.target).closest("button[data-a]"));
    if (cell) live.change({ a: Number(cell.dataset.a), b: Number(cell.dataset.b) });
  });
})();
