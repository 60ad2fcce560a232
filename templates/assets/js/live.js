// The page's model: settings from the hash or the controls → the core → the page. One direction, newest change only.
"use strict";

(function () {
  const source = document.getElementById("live-data");
  const form = /** @type {HTMLFormElement | null} */ (document.getElementById("controls"));
  if (!source || !form) return;
  const data = JSON.parse(source.textContent || "{}");
  const root = document.documentElement;
  const CHARTS_MS = 60; // of pause before the curves of the charts are computed
  const PLAY_MS = 700;
  const REST_MS = 600; // of rest after which tables out of view are laid out again

  /** @type {any} */
  let core = null;
  /** @type {any} */
  let shown = null; // the state on the page
  /** @type {Record<string, any>} */
  let settings = { ...data.settings };
  /** @type {Record<string, string>} */
  let others = {};
  let revealing = ""; // what the address asks to be shown, once the state is painted
  let typing = false; // a control is being moved: its whole move is one entry of the browser's history
  let playing = 0;
  let waiting = 0;
  let resting = 0;
  let round = 0;
  let queued = false;
  const painter = RLPU.Painter(data);
  const listeners = /** @type {((state: any) => void)[]} */ ([]);

  /** @param {string} id */
  const element = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
  /** @param {string} name */
  const control = (name) => /** @type {HTMLInputElement} */ (form.elements.namedItem(name));
  /** @param {string} key @param {Record<string, any>} [values] */
  const words = (key, values = {}) => painter.filled(data.words[key], values);

  // --- the core ---

  /** Start the engine; on failure the default numbers stay, and one line says so. */
  async function start() {
    if (core) return core;
    try {
      core = await RLPU.engine.start(data.setup);
    } catch (error) {
      element("live-status").textContent = words("live.failed");
      form?.querySelectorAll("input, select, button").forEach((item) => item.setAttribute("disabled", ""));
      throw error;
    }
    return core;
  }

  /** Compute and paint at once; while busy only the newest settings are kept. */
  function update() {
    if (queued) return;
    queued = true;
    start().then(() => {
      queued = false;
      compute();
    }, () => {
      queued = false;
    });
  }

  function compute() {
    /** @type {any} */
    let state;
    try {
      state = RLPU.engine.call(core, "show", settings);
    } catch (error) {
      element("live-status").textContent = words("live.failed");
      return;
    }
    const before = shown;
    shown = state;
    painter.state(state);
    fillControls();
    root.dataset.state = RLPU.hash.write(settings, data, others);
    announce(before, state);
    if (revealing) reveal(revealing);
    revealing = "";
    clearTimeout(waiting);
    waiting = setTimeout(slices, CHARTS_MS);
    for (const listener of listeners) listener(state);
  }

  /** Compute the curves in slices, so that no change waits for them; then the charts and what is said of the run. */
  async function slices() {
    const mine = ++round;
    const chosen = settings; // replaced, never changed: a newer choice is another object
    const betas = data.betas.includes(settings.beta) ? data.betas : [...data.betas, settings.beta];
    const key = JSON.stringify({ ...settings, step: 0, at: "", beta: 0 });
    /** @type {any[]} */
    const curves = [];
    for (const beta of betas) {
      const id = key + beta;
      if (!cache.has(id)) {
        cache.set(id, RLPU.engine.call(core, "curve", settings, beta));
        await new Promise((resolve) => setTimeout(resolve));
        if (mine !== round || chosen !== settings) return;
      }
      curves.push(cache.get(id));
    }
    if (cache.size > 400) cache.clear();
    const story = RLPU.engine.call(core, "story", settings, curves[betas.indexOf(settings.beta)]);
    painter.curves(curves);
    painter.story(story);
    const places = shown.positions.map(painter.place);
    RLPU.charts.update({ settings, curves, plateaus: shown.plateaus, places, step: shown.step });
  }
  /** @type {Map<string, any>} */
  const cache = new Map();

  // --- changes ---

  /**
   * Take new settings: compute, paint, and remember them in the address.
   * @param {Record<string, any>} changes
   * @param {boolean} [going] a move that goes on, as of a slider
   */
  function change(changes, going = false) {
    settings = { ...settings, ...unlocked(changes) };
    root.classList.add("busy");
    clearTimeout(resting);
    resting = setTimeout(() => root.classList.remove("busy"), REST_MS);
    const hash = "#" + RLPU.hash.write(settings, data, others);
    try {
      if (typing) history.replaceState(null, "", hash);
      else if (location.hash !== hash) history.pushState(null, "", hash);
      typing = going;
    } catch (error) {
      // Browsers limit how often the address may change; the state itself does not depend on it.
    }
    update();
  }

  /** Take the state from the address; name what is wrong in it. */
  function readHash() {
    const saved = root.dataset.saved && !location.hash ? "#" + root.dataset.saved : "";
    const read = RLPU.hash.read(location.hash || saved, data);
    const box = element("hash-problems");
    box.replaceChildren(...read.wrong.map((/** @type {any} */ item) => {
      const line = document.createElement("li");
      line.textContent = words("live.wrong", item);
      return line;
    }));
    box.hidden = !read.wrong.length;
    if (read.plain || (!location.hash && !saved && !shown)) return false;
    typing = false;
    settings = { ...data.settings, ...read.settings };
    others = read.others;
    lockAndHide();
    update();
    revealing = others.show || "";
    if (document.getElementById(revealing)) { // a place, not a number: it is there already
      reveal(revealing);
      revealing = "";
    }
    return true;
  }

  /** Tell whether a teacher's link names a key. @param {string} what lock or hide @param {string} name */
  function listed(what, name) {
    return (others[what] || "").split(",").includes(name);
  }

  /** A teacher's link: lock= disables controls, hide= takes them away. */
  function lockAndHide() {
    for (const name of data.keys.map((/** @type {any} */ key) => key.name)) {
      const item = control(name);
      const holder = item && item.closest(".control");
      if (!item || !(holder instanceof HTMLElement)) continue;
      const locked = listed("lock", name);
      holder.hidden = listed("hide", name);
      holder.querySelectorAll("input, select, button").forEach((part) => part.toggleAttribute("disabled", locked));
    }
  }

  /** Return changes without those of locked keys. @param {Record<string, any>} changes */
  function unlocked(changes) {
    return Object.fromEntries(Object.entries(changes).filter(([name]) => !listed("lock", name)));
  }

  /** Bring a number into view and mark it; or only go to a place of the page. @param {string} id */
  function reveal(id) {
    document.querySelector(".pointed")?.classList.remove("pointed");
    const found = document.querySelector(`main data[data-number="${CSS.escape(id)}"]`);
    if (found instanceof HTMLElement) {
      found.closest("details")?.setAttribute("open", "");
      found.classList.add("pointed");
      found.scrollIntoView({ block: "center" });
    } else {
      delete others.show;
      document.getElementById(id)?.scrollIntoView();
    }
  }

  // --- controls ---

  /** Write the settings into the controls; the one that is being typed into is left alone. */
  function fillControls() {
    for (const key of data.keys) {
      const item = control(key.name);
      if (!item || item === document.activeElement && item.type === "number") continue;
      const value = key.name === "rewards" && Array.isArray(settings.rewards) ? "free" : String(settings[key.name]);
      if (key.name === "keep") item.value = String(Math.min(settings.keep, Number(item.max)));
      else if (item.value !== value) item.value = value;
      item.setCustomValidity("");
    }
    const slider = /** @type {HTMLInputElement} */ (element("beta-slider"));
    if (slider !== document.activeElement) slider.value = String(settings.beta);
    for (const output of form?.querySelectorAll("output") || []) {
      output.textContent = control(output.dataset.of || "").value;
    }
    const rewards = shown.rewards;
    form?.querySelectorAll("[data-reward]").forEach((item, index) => {
      if (item instanceof HTMLInputElement && item !== document.activeElement) item.value = String(rewards[index]);
    });
    const changed = data.keys.filter((/** @type {any} */ key) =>
      !["step", "path", "at"].includes(key.name) &&
      JSON.stringify(settings[key.name]) !== JSON.stringify(data.settings[key.name]));
    const list = changed.map((/** @type {any} */ key) => key.name + " = " + [settings[key.name]].flat().join(", "));
    element("controls-summary").textContent =
      [words("live.step_of", { step: settings.step, steps: data.setup.steps }), settings.path, ...list].join(" · ");
    /** @type {[string, boolean][]} */ ([["step-back", settings.step === 0], ["step-reset", settings.step === 0],
      ["step-apply", settings.step === data.setup.steps]]).forEach(([id, off]) => {
      const button = element(id);
      if (button !== document.activeElement) button.toggleAttribute("disabled", off || listed("lock", "step"));
      button.setAttribute("aria-disabled", String(off));
    });
  }

  /** Say in one sentence what changed. @param {any} before @param {any} state */
  function announce(before, state) {
    if (!before) return;
    const key = state.skipped ? "live.now_skipped" : "live.now";
    const text = (/** @type {any} */ value) => RLPU.format.text(value, 6);
    element("live-status").textContent = words(key, {
      step: state.step, loss: text(state.loss), kl: text(state.kl), clipped: state.clipped, counted: state.counted,
    });
  }

  /** Take a control's value, if its key allows it. @param {HTMLInputElement | HTMLSelectElement} item */
  function take(item) {
    const name = item.name || item.dataset.for || "";
    if (item.dataset.reward !== undefined) {
      const values = [...(form?.querySelectorAll("[data-reward]") || [])].map((input) => /** @type {HTMLInputElement} */ (input).value);
      return tell(item, "rewards", values.join(","));
    }
    if (name === "rewards" && item.value === "free") return change({ rewards: [...(shown ? shown.rewards : [])] }, true);
    return tell(item, name, item.value);
  }

  /** @param {HTMLInputElement | HTMLSelectElement} item @param {string} name @param {string} text */
  function tell(item, name, text) {
    const key = data.keys.find((/** @type {any} */ candidate) => candidate.name === name);
    if (!key) return;
    const value = RLPU.hash.parse(key, text.trim(), data.setup);
    item.setCustomValidity(value === undefined ? words("live.wrong", { key: name, found: text, allowed: key.allowed }) : "");
    if (value === undefined) {
      element("live-status").textContent = item.validationMessage;
      return;
    }
    change({ [name]: value }, true);
  }

  /** Play: an update at a time, until the last. @param {boolean} on */
  function play(on) {
    clearInterval(playing);
    playing = 0;
    const button = element("step-play");
    button.setAttribute("aria-pressed", String(on));
    button.textContent = words(on ? "live.pause" : "live.play");
    if (!on) return;
    if (settings.step === data.setup.steps) change({ step: 0 });
    playing = setInterval(() => {
      if (settings.step >= data.setup.steps) play(false);
      else change({ step: settings.step + 1 }, true);
    }, PLAY_MS);
  }

  function startControls() {
    if (!form) return;
    form.hidden = false;
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("input", (event) => take(/** @type {HTMLInputElement} */ (event.target)));
    form.addEventListener("change", () => { typing = false; });
    form.addEventListener("focusin", () => start().catch(() => {}), { once: true });
    const most = data.setup.steps;
    element("step-apply").addEventListener("click", () => change({ step: Math.min(most, settings.step + 1) }));
    element("step-back").addEventListener("click", () => change({ step: Math.max(0, settings.step - 1) }));
    element("step-reset").addEventListener("click", () => { play(false); change({ step: 0 }); });
    element("step-play").addEventListener("click", () => play(!playing));
    element("controls-default").addEventListener("click", () => { play(false); change({ ...data.settings }); });
    const panel = /** @type {HTMLDetailsElement} */ (element("controls-panel"));
    panel.open = innerWidth > 640;
    const measure = () => root.style.setProperty("--controls-height", form.offsetHeight + "px");
    new ResizeObserver(measure).observe(form);
    measure();
  }

  /** Let the row heads of the tables choose their token. */
  function startPicking() {
    for (const row of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("tr[data-at]"))) {
      const head = row.querySelector("th");
      const name = head && head.querySelector(".place");
      if (!head || !name) continue;
      const button = document.createElement("button");
      button.type = "button";
      button.className = "pick";
      button.setAttribute("aria-pressed", String(row.classList.contains("selected")));
      button.setAttribute("aria-label", words("live.pick", { place: name.textContent }));
      button.append(...name.childNodes);
      button.addEventListener("click", () => change({ at: row.dataset.at }));
      name.append(button);
    }
  }

  startControls();
  startPicking();
  addEventListener("hashchange", readHash);
  if (!readHash()) {
    const near = new IntersectionObserver((entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      near.disconnect();
      start().then(update, () => {});
    }, { rootMargin: "800px" });
    near.observe(element("state"));
  }

  RLPU.live = {
    data,
    painter,
    words,
    change,
    pick: (/** @type {number} */ index) => {
      const { response, position } = shown.positions[index];
      change({ at: response + "." + position });
    },
    settings: () => settings,
    state: () => shown,
    hash: (/** @type {Record<string, string>} */ more = {}) => RLPU.hash.write(settings, data, { ...others, ...more }),
    core: start,
    onChange: (/** @type {(state: any) => void} */ listener) => listeners.push(listener),
  };
})();
