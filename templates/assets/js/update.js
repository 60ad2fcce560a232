// The main page's own part of being live: steps and play, the token that is followed, the curves, the summary line.
"use strict";

(function () {
  const PLAY_MS = 700;
  const SYMBOLS = /** @type {Record<string, string>} */ ({ keep: "k", beta: "β", clip_epsilon: "ε", learning_rate: "η" });
  const live = RLPU.live = RLPU.Live({
    prepare: (/** @type {any} */ state) => own.prepare(state),
    paint,
    status,
    late: slices,
    toControl: (/** @type {string} */ name, /** @type {any} */ value) =>
      (name === "rewards" && Array.isArray(value) ? "free" : undefined),
    fromControl: (/** @type {string} */ name, /** @type {string} */ text) =>
      (name === "rewards" && text === "free" ? { rewards: rewards() } : undefined),
    list: (/** @type {string} */ name, /** @type {any} */ state) => (name === "rewards" ? state.rewards : undefined),
    pick: (/** @type {number} */ index) => {
      const { response, position } = live.state().positions[index];
      live.change({ at: response + "." + position });
    },
    json: (/** @type {any} */ state) => state && { ...state, plateaus: undefined, sentences: undefined },
  });
  if (!live) return;
  const { data, painter, words, change, settings } = live;
  const own = RLPU.UpdatePainter(live);
  const most = data.setup.steps;
  live.place = own.place;

  /** @param {string} id */
  const element = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

  /** The rewards that free ones begin with. */
  function rewards() {
    const state = live.state();
    return [...(state ? state.rewards : [data.setup.rewards[settings().rewards]].flat())];
  }

  // --- what the page shows beside numbers ---

  /** @param {any} state */
  function paint(state) {
    own.paint(state);
    summarize();
    const { step } = settings();
    /** @type {[string, boolean][]} */ ([["step-back", step === 0], ["step-reset", step === 0], ["step-apply", step === most]])
      .forEach(([id, off]) => {
        const button = element(id);
        if (button !== document.activeElement) button.toggleAttribute("disabled", off || live.locked("step"));
        button.setAttribute("aria-disabled", String(off));
      });
  }

  /** Say in the line that folds the controls which settings are not the default ones. */
  function summarize() {
    const chosen = settings();
    const [right] = data.keys.find((/** @type {any} */ key) => key.name === "path").words;
    const names = RLPU.hash.changed(chosen, data).filter((/** @type {string} */ name) => !["step", "path", "at"].includes(name));
    names.sort((/** @type {string} */ a, /** @type {string} */ b) => Number(b in SYMBOLS) - Number(a in SYMBOLS)); // short ones first
    const changed = names.map((/** @type {string} */ name) => {
      const value = [chosen[name]].flat().join(", ").replace(/-(?=[\d.])/g, "−");
      return (SYMBOLS[name] || words("setting." + name)) + " = " + (data.words["setting.normalization_" + value] || value);
    });
    const step = words("live.step_of", { step: chosen.step, steps: most });
    const said = chosen.path === right ? [...changed, step, words("live.right_path")] : [chosen.path, ...changed, step];
    element("controls-summary").textContent = said.join(" · ");
  }

  /** Say in one sentence what changed. @param {any} state @returns {string} */
  function status(state) {
    const text = (/** @type {any} */ value) => RLPU.format.text(value, 6);
    return words(state.skipped ? "live.now_skipped" : "live.now", {
      step: state.step, loss: text(state.loss), kl: text(state.kl), clipped: state.clipped, counted: state.counted,
    });
  }

  // --- the curves ---

  /** @type {Map<string, any>} */
  const cache = new Map();
  let round = 0;

  /**
   * Compute the curves in slices, so that no change waits for them; then the charts and what is said of the run.
   * @param {any} state @param {any} core
   */
  async function slices(state, core) {
    const mine = ++round;
    const chosen = settings(); // replaced, never changed: a newer choice is another object
    const betas = data.betas.includes(chosen.beta) ? data.betas : [...data.betas, chosen.beta];
    const key = JSON.stringify({ ...chosen, step: 0, at: "", beta: 0 });
    /** @type {any[]} */
    const curves = [];
    for (const beta of betas) {
      const id = key + beta;
      if (!cache.has(id)) {
        cache.set(id, RLPU.engine.call(core, "curve", chosen, beta));
        await new Promise((resolve) => setTimeout(resolve));
        if (mine !== round || chosen !== settings()) return;
      }
      curves.push(cache.get(id));
    }
    if (cache.size > 400) cache.clear();
    const story = RLPU.engine.call(core, "story", chosen, curves[betas.indexOf(chosen.beta)]);
    painter.numbers({ curves });
    painter.sentences(story.sentences, story);
    painter.numbers({ facts: story.facts });
    const places = state.positions.map(own.place);
    RLPU.charts.update({ settings: chosen, curves, plateaus: state.plateaus, places, step: state.step });
  }

  // --- controls ---

  let playing = 0;

  /** Play: an update at a time, until the last. @param {boolean} on */
  function play(on) {
    clearInterval(playing);
    playing = 0;
    const button = element("step-play");
    button.setAttribute("aria-pressed", String(on));
    button.textContent = words(on ? "live.pause" : "live.play");
    if (!on) return;
    if (settings().step === most) change({ step: 0 });
    playing = setInterval(() => {
      if (settings().step >= most) play(false);
      else change({ step: settings().step + 1 }, true);
    }, PLAY_MS);
  }

  function startSteps() {
    element("step-apply").addEventListener("click", () => change({ step: Math.min(most, settings().step + 1) }));
    element("step-back").addEventListener("click", () => change({ step: Math.max(0, settings().step - 1) }));
    element("step-reset").addEventListener("click", () => { play(false); change({ step: 0 }); });
    element("step-play").addEventListener("click", () => play(!playing));
    element("controls-default").addEventListener("click", () => play(false));
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

  startSteps();
  startPicking();
})();
