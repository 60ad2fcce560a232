// A page's model: settings from the hash or the controls → the core → the page. One direction, newest change only.
"use strict";

(function () {
  const LATE_MS = 60; // of pause before charts are renewed, and what takes longer is computed
  const SAID_MS = 8000; // for which a sentence on what changed lies over the page
  const REST_MS = 600; // of rest after which tables out of view are laid out again
  const [AGAIN_MS, TRIES] = [1000, 15]; // of writing an address that the browser refuses

  /**
   * What a page adds; each hook may be missing. A state is what the core's `show` returned.
   * @typedef {object} Hooks
   * @property {(settings: any, core: any) => Promise<void>} [ready] loads what settings need, before they are computed
   * @property {(state: any) => void} [prepare] before a state's numbers are painted: make rows, choose ids
   * @property {(state: any) => void} [paint] after it
   * @property {(state: any) => string} [status] one sentence on what a change led to
   * @property {(state: any, core: any) => void} [late] once changes pause; instead of renewing the charts by the state
   * @property {(name: string, value: any) => string | undefined} [toControl] what a control says, unless it is the value
   * @property {(name: string, text: string) => Record<string, any> | undefined} [fromControl] what a control's text
   *   changes, unless the key's own check decides
   * @property {(name: string, state: any) => any[]} [list] the numbers of a list key whose value is a word
   * @property {(index: number) => void} [pick] what a click on a chart's point with a number does
   * @property {(id: string) => string} [label] what a number is called, unless its declaration says
   * @property {(id: string) => {page: string, keys: any[], settings: any, schema: number}} [home] of the page on which a
   *   number stands, unless this one: its name, its keys and its default settings
   * @property {(id: string) => boolean} [fixed] whether a number is the same in every state, though states name it
   * @property {(id: string) => boolean} [stands] whether a number is shown on that page
   * @property {(state: any) => any} [json] what "copy as JSON" copies, unless it is the state
   */

  /** Make the model of this page; null where a page has no live data. @param {Hooks} hooks */
  function Live(hooks) {
    const source = document.getElementById("live-data");
    if (!source) return null;
    const data = JSON.parse(source.textContent || "{}");
    const root = document.documentElement;

    /** @type {any} */
    let core = null;
    /** @type {any} */
    let shown = null; // the state on the page
    /** @type {Record<string, any>} */
    let settings = { ...data.settings };
    /** @type {Record<string, string>} */
    let others = {};
    /** @type {{key: string, found: string, allowed: string, unknown?: boolean}[]} */
    let wrong = []; // what is wrong in the address
    let revealing = ""; // what the address asks to be shown, once the state is painted
    let typing = false; // a control is being moved: its whole move is one entry of the browser's history
    let waiting = 0;
    let resting = 0;
    let refused = 0; // the timer of an address that the browser did not take
    let saying = 0;
    let queued = false;
    let fromAddress = false; // the settings were read from it, not changed by a control
    const painter = RLPU.Painter(data);
    const listeners = /** @type {((state: any) => void)[]} */ ([]);

    /** @param {string} key @param {Record<string, any>} [values] */
    const words = (key, values = {}) => painter.filled(data.words[key], values);

    /** Say something; what lies over the page goes away by itself, unless it stays true. @param {string} text @param {boolean} [stays] */
    function say(text, stays = false) {
      const status = document.getElementById("live-status");
      if (!status) return;
      status.textContent = text;
      status.classList.toggle("stays", stays);
      clearTimeout(saying);
      if (text && !stays && status.matches(".floating")) saying = setTimeout(() => { status.textContent = ""; }, SAID_MS);
    }

    // --- the core ---

    /** Start the engine; on failure the default numbers stay, and one line says so. */
    async function start() {
      if (core || !data.core) return core; // a page without a core has one state, the default one
      try {
        core = await RLPU.engine.start(data.core, data.setup);
      } catch (error) {
        say(words("live.failed"), true);
        controls.disable();
        throw error;
      }
      return core;
    }

    /** Compute and paint at once; while busy only the newest settings are kept. */
    function update() {
      if (queued) return;
      queued = true;
      start().then(ready).then(() => {
        queued = false;
        compute();
      }, () => {
        queued = false;
      });
    }

    /** Wait for what the newest settings need; settings may change meanwhile. */
    async function ready() {
      for (let wanted = null; hooks.ready && wanted !== settings;) {
        wanted = settings;
        await hooks.ready(settings, core);
      }
    }

    function compute() {
      /** @type {any} */
      let state;
      try {
        state = data.core ? RLPU.engine.call(core, "show", settings) : {};
      } catch (error) {
        say(words("live.failed"), true);
        return;
      }
      const isFirst = !shown;
      shown = state;
      RLPU.view.keep(() => {
        paint(state);
        root.dataset.state = RLPU.hash.write(settings, data, others);
        for (const listener of listeners) listener(state);
      });
      const mistakes = controls.mistakes();
      if (!isFirst && hooks.status) say(mistakes || hooks.status(state), Boolean(mistakes));
      clearTimeout(waiting);
      waiting = setTimeout(() => {
        hooks.late ? hooks.late(state, core) : RLPU.charts.update(state);
        reveal(true);
      }, LATE_MS);
      scriptsRun.then(() => reveal(false)); // after the listeners, which may bring it into the page
    }

    /** @param {any} state */
    function paint(state) {
      hooks.prepare?.(state);
      painter.results(state);
      painter.command(settings);
      hooks.paint?.(state);
      controls.fill(settings, state);
    }

    // --- changes ---

    /**
     * Take new settings: compute, paint, and remember them in the address.
     * @param {Record<string, any>} changes
     * @param {boolean} [going] a move that goes on, as of a slider
     */
    function change(changes, going = false) {
      settings = { ...settings, ...unlocked(changes) };
      fromAddress = false;
      root.classList.add("busy");
      clearTimeout(resting);
      resting = setTimeout(() => root.classList.remove("busy"), REST_MS);
      remember(going);
      update();
    }

    /**
     * Write the settings into the address. Browsers limit how often it may change (Safari: 100 times in 10 s) and refuse
     * the rest, by an error or in silence: what was refused is written later.
     * @param {boolean} going @param {boolean} [replacing] no entry of the history of its own @param {number} [tries]
     */
    function remember(going, replacing = typing || top !== self, tries = TRIES) {
      clearTimeout(refused);
      const { hash } = new URL("#" + RLPU.hash.write(settings, data, others), location.href); // as browsers write it
      if (location.hash === hash) return;
      try {
        if (replacing) history.replaceState(null, "", hash);
        else history.pushState(null, "", hash);
      } catch (error) {
        // Seen below.
      }
      if (location.hash === hash) typing = going;
      else if (tries > 1) refused = setTimeout(() => remember(typing, replacing, tries - 1), AGAIN_MS);
    }

    /** Take the state from the address; name what is wrong in it. */
    function readHash() {
      clearTimeout(refused);
      const saved = root.dataset.saved && !location.hash ? "#" + root.dataset.saved : "";
      const read = RLPU.hash.read(location.hash || saved, data);
      const moved = document.getElementById(read.plain || read.others.show || "")?.dataset.moved;
      if (moved) { // a part of an earlier edition that stands on another page now
        location.replace(moved);
        return true;
      }
      wrong = read.wrong;
      complain(wrong);
      if (read.plain || (!location.hash && !saved && !shown)) return false;
      typing = false;
      settings = { ...data.settings, ...read.settings };
      fromAddress = true;
      others = read.others;
      pointer.forget();
      controls.lockAndHide(listed);
      update();
      revealing = others.show || "";
      const place = document.getElementById(revealing);
      if (place) delete others.show; // a place, not a number
      if (place && !place.closest("[hidden]")) reveal(false); // it is there already; others only when the state is painted
      return true;
    }

    /** @param {typeof wrong} mistakes */
    function complain(mistakes) {
      const box = document.getElementById("hash-problems");
      if (!box) return;
      box.replaceChildren(...mistakes.map((item) => {
        const line = document.createElement("li");
        line.textContent = words(item.unknown ? "live.unknown" : "live.wrong", item);
        return line;
      }));
      box.hidden = !mistakes.length;
    }

    /** Tell whether a teacher's link names a key. @param {string} what lock or hide @param {string} name */
    function listed(what, name) {
      return (others[what] || "").split(",").includes(name);
    }

    /** Return changes without those of locked keys. @param {Record<string, any>} changes */
    function unlocked(changes) {
      return Object.fromEntries(Object.entries(changes).filter(([name]) => !listed("lock", name)));
    }

    /** Show what the address asks for, or, once nothing more will come, name it as wrong. @param {boolean} last */
    function reveal(last) {
      const found = revealing && pointer.reveal(revealing, last);
      if (!found) return;
      if (found !== "number") delete others.show; // that goes on being marked
      if (found === "nothing") complain([...wrong, { key: "show", found: revealing, allowed: words("live.can_show") }]);
      revealing = "";
    }

    /** Compute for the first time when what shows results comes near the window. */
    function startNear() {
      const near = new IntersectionObserver((entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return;
        near.disconnect();
        start().then(update, () => {});
      }, { rootMargin: "800px" });
      for (const element of document.querySelectorAll("[data-live]")) near.observe(element);
    }

    const controls = RLPU.Controls(data, {
      change,
      rest: () => { typing = false; },
      start: () => { start().catch(() => {}); },
      say,
      words,
      fromAddress: () => fromAddress,
      hooks,
    });
    const scriptsRun = new Promise((done) => addEventListener("DOMContentLoaded", done)); // those after this one, too
    const pointer = RLPU.Reveal({
      painter,
      words,
      /** What this page does not compute stands in the list of all numbers, which speaks of the default state. @param {string} id */
      elsewhere: (id) => (hooks.stands || root.dataset.saved || RLPU.hash.write(settings, data) !== RLPU.hash.write(data.settings, data)
        ? "" : `numbers.html#v=${data.schema}&show=${encodeURIComponent(id)}`),
    });
    addEventListener("hashchange", readHash);
    if (!readHash()) startNear();

    return {
      data,
      painter,
      words,
      say,
      change,
      pick: hooks.pick,
      settings: () => settings,
      state: () => shown,
      json: () => (hooks.json ? hooks.json(shown) : shown),
      locked: (/** @type {string} */ name) => listed("lock", name),
      hash: (/** @type {Record<string, string>} */ more = {}) => RLPU.hash.write(settings, data, { ...others, ...more }),
      home: (/** @type {string} */ id) => hooks.home?.(id) || data,
      fixed: (/** @type {string} */ id) => Boolean(hooks.fixed?.(id)),
      /** The address that opens this state, or the default one of the page that shows it, with a number marked. @param {string} id */
      link(id) {
        const home = (!hooks.stands || hooks.stands(id)) && hooks.home?.(id);
        return home ? `${home.page}.html#` + RLPU.hash.write(home.settings, home, { show: id })
          : "#" + RLPU.hash.write(settings, data, { ...others, show: id });
      },
      /** @param {string} id @returns {string} */
      label: (id) => hooks.label?.(id) || "",
      core: start,
      refresh: update,
      onChange: (/** @type {(state: any) => void} */ listener) => listeners.push(listener),
    };
  }

  RLPU.Live = Live;
})();
