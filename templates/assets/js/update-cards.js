// The main page's formulas with the state's numbers put in, and the names that its labels need.
"use strict";

(function () {
  if (!RLPU.live) return;
  const { data, painter, words, place } = RLPU.live;
  const { Absent } = RLPU.formulas;
  const MOST_TERMS = 12;

  /** Response and position of every index, in the order of the results. */
  const places = /** @type {{response: number, position: number}[]} */ ([]);
  const longest = Math.max(...data.setup.responses.map((/** @type {any} */ item) => item.actions.length));
  data.setup.responses.forEach((/** @type {any} */ _, /** @type {number} */ response) => {
    for (let position = -1; position < longest; position++) places.push({ response, position });
  });

  RLPU.formulas.placeholders = (/** @type {string[]} */ parts) => {
    const index = Number(parts[0]);
    return {
      place: places[index] ? place(places[index]) : "",
      response: index + 1,
      check: data.words["check." + parts[0]] || parts[0],
    };
  };

  /** Writes numbers of a state. */
  class Writer extends RLPU.formulas.Writer {
    /** @param {any} state */
    constructor(state) {
      super(painter);
      this.state = state;
      this.tokens = state.positions.flatMap((/** @type {any} */ item, /** @type {number} */ k) => (item.kind === "token" ? [k] : []));
      this.features = /** @type {number[]} */ ([...state.W.keys()]);
      this.actions = /** @type {number[]} */ ([...state.W[0].keys()]);
      this.responses = /** @type {number[]} */ ([...state.rewards.keys()]);
    }

    /** One line per counted position, if they are few. @param {string} left @param {(p: string) => string} term @param {string} id */
    sum(left, term, id) {
      if (!this.tokens.length || this.tokens.length > MOST_TERMS) throw new Absent(id);
      const lines = this.tokens.map((/** @type {number} */ k, /** @type {number} */ place) => (place ? "+ " : left + " = ") + term("positions." + k));
      return [...lines, "= " + this.n(id)];
    }
  }

  /** @param {Writer} w @param {string} i */
  const advantage = (w, i) => {
    if (w.state.group.deviation === 0) throw new Absent("group.deviation");
    return [`A = ( ${w.n("rewards." + i)} − ${w.s("group.mean")} ) / ${w.n("group.deviation")} = ${w.n("advantages." + i)}`];
  };
  /** @param {Writer} w @param {string} p */
  const softmax = (w, p) => `softmax( [${w.actions.map((v) => w.n(`${p}.logits.${v}`)).join(", ")}] )`;
  /** @param {Writer} w @param {string} p @param {string | number} v */
  const surrogateSlope = (w, p, v) => {
    const position = painter.at(w.state, p.split("."));
    if (position.is_clipped) return "0";
    return `−${w.s(p + ".advantage")} × ${w.n(p + ".ratio")} × ( ${position.action === Number(v) ? "1" : "0"} − ${w.n(`${p}.probs.${v}`)} )`;
  };
  /** @param {Writer} w @param {string} p @param {string | number} v */
  const klSlope = (w, p, v) =>
    `${w.n(`${p}.probs.${v}`)} × ( log( ${w.n(`${p}.probs.${v}`)} / ${w.n(`${p}.ref_probs.${v}`)} ) − ${w.s(p + ".kl")} )`;
  /** @param {Writer} w @param {string} p */
  const share = (w, p) => `${w.n(p + ".weight")} × [ −${w.s(p + ".surrogate")} + ${w.n("settings.beta")} × ${w.s(p + ".kl")} ]`;
  /** @param {Writer} w */
  const selected = (w) => "positions." + w.state.selected.index;
  /** @param {string} id @returns {(w: Writer, j: string, v: string) => string[]} */
  const gradient = (id) => (w, j, v) =>
    w.sum("∇L", (p) => `${w.s(`${p}.features.${j}`)} × ${w.s(`${p}.dlogits.${v}`)}`, `${id}.${j}.${v}`);

  /**
   * Formulas with numbers put in, by the shape of an id. Only texts are joined here; no value is computed.
   * @type {Record<string, (w: Writer, a: string, b: string) => string[]>}
   */
  const FILLED = {
    loss: (w) => w.sum("L", (p) => share(w, p), "loss"),
    kl: (w) => w.sum("KL", (p) => `${w.n(p + ".weight")} × ${w.s(p + ".kl")}`, "kl"),
    kl_exact: (w) => w.sum("KL", (p) => `${w.n(p + ".weight")} × ${w.s(p + ".kl")}`, "kl_exact"),
    "group.mean": (w) => [`( ${w.responses.map((i) => w.s("rewards." + i)).join(" + ")} ) / ${w.responses.length} = ${w.n("group.mean")}`],
    "group.deviation": (w) => {
      const squares = w.responses.map((i) => `( ${w.n("rewards." + i)} − ${w.s("group.mean")} )²`);
      return [`√( [ ${squares.join(" + ")} ] / ${w.responses.length} ) = ${w.n("group.deviation")}`];
    },
    "advantages.*": advantage,
    "gradient.*.*": gradient("gradient"),
    "selected.share_sum.*.*": gradient("selected.share_sum"),
    "W_next.*.*": (w, j, v) => {
      const at = `.${j}.${v}`;
      return [`W′ = ${w.n("W" + at)} − ${w.n("settings.learning_rate")} × ${w.s("gradient" + at)} = ${w.n("W_next" + at)}`];
    },
    "positions.*.weight": (w, k) => {
      const { kind } = w.state.positions[k];
      const value = w.n(`positions.${k}.weight`);
      if (kind !== "token") return [`w = ${value} (${data.words["kind." + kind]})`];
      if (w.state.settings.normalization !== "token") throw new Absent("T_i");
      return [`w = 1 / ${w.n("counted")} = ${value}`];
    },
    "positions.*.advantage": (w, k) => advantage(w, w.state.positions[k].response),
    "positions.*.logprob": (w, k) => [`log p = log( ${w.n(`positions.${k}.prob`)} ) = ${w.n(`positions.${k}.logprob`)}`],
    "positions.*.ratio": (w, k) => {
      const p = "positions." + k;
      return [`ρ = exp( ${w.n(p + ".logprob")} − ${w.s(p + ".logprob_old")} ) = ${w.n(p + ".ratio")}`];
    },
    "positions.*.unclipped": (w, k) => {
      const p = "positions." + k;
      return [`ρ A = ${w.n(p + ".ratio")} × ${w.s(p + ".advantage")} = ${w.n(p + ".unclipped")}`];
    },
    "positions.*.clipped_term": (w, k) => {
      const p = "positions." + k;
      const bounds = `${w.n("plateaus.low")}, ${w.n("plateaus.high")}`;
      return [`clip( ${w.n(p + ".ratio")}, ${bounds} ) × ${w.s(p + ".advantage")} = ${w.n(p + ".clipped_term")}`];
    },
    "positions.*.surrogate": (w, k) => {
      const p = "positions." + k;
      return [`u = min( ${w.n(p + ".unclipped")}, ${w.n(p + ".clipped_term")} ) = ${w.n(p + ".surrogate")}`];
    },
    "positions.*.prob": (w, k) => {
      const p = "positions." + k;
      return [`p = ${softmax(w, p)}`, `p(${w.n(p + ".action")}) = ${w.n(p + ".prob")}`];
    },
    "positions.*.probs.*": (w, k, v) => [`p = ${softmax(w, "positions." + k)}`, `p(${v}) = ${w.n(`positions.${k}.probs.${v}`)}`],
    "positions.*.logits.*": (w, k, v) => {
      const p = "positions." + k;
      return [`z = ${w.features.map((j) => `${w.s(`${p}.features.${j}`)} × ${w.s(`W.${j}.${v}`)}`).join(" + ")} = ${w.n(`${p}.logits.${v}`)}`];
    },
    "positions.*.kl": (w, k) => {
      const p = "positions." + k;
      const terms = w.actions.map((v) => `${w.n(`${p}.probs.${v}`)} × log( ${w.n(`${p}.probs.${v}`)} / ${w.n(`${p}.ref_probs.${v}`)} )`);
      return [...terms.map((term, v) => (v ? "+ " : "KL = ") + term), "= " + w.n(p + ".kl")];
    },
    "positions.*.dlogits.*": (w, k, v) => {
      const p = "positions." + k;
      const { kind } = w.state.positions[k];
      if (kind !== "token") return [`∂L/∂z = ${w.n(`${p}.dlogits.${v}`)} (${data.words["kind." + kind]})`];
      return [`∂L/∂z = ${w.n(p + ".weight")} × [ ${surrogateSlope(w, p, v)}`, `+ ${w.n("settings.beta")} × ${klSlope(w, p, v)} ]`,
        `= ${w.n(`${p}.dlogits.${v}`)}`];
    },
    "selected.loss_share": (w) => [`${share(w, selected(w))} = ${w.n("selected.loss_share")}`],
    "selected.policy_gradient.*": (w, v) => {
      const [slope, value] = [surrogateSlope(w, selected(w), v), w.n("selected.policy_gradient." + v)];
      return [slope === "0" ? `${data.words["chain.is_clipped"]}: ${value}` : `${slope} = ${value}`];
    },
    "selected.kl_gradient.*": (w, v) => [`${klSlope(w, selected(w), v)} = ${w.n("selected.kl_gradient." + v)}`],
    "selected.share.*.*": (w, j, v) => {
      const p = selected(w);
      return [`${w.s(`${p}.features.${j}`)} × ${w.s(`${p}.dlogits.${v}`)} = ${w.n(`selected.share.${j}.${v}`)}`];
    },
    "plateaus.low": (w) => [`1 − ${w.n("settings.clip_epsilon")} = ${w.n("plateaus.low")}`],
    "plateaus.high": (w) => [`1 + ${w.n("settings.clip_epsilon")} = ${w.n("plateaus.high")}`],
  };

  for (const [shape, fill] of Object.entries(FILLED)) {
    RLPU.formulas.own[shape] = (/** @type {any} */ state, /** @type {string[]} */ [a, b]) => {
      const { path } = state.settings;
      return path === "correct" ? fill(new Writer(state), a, b) : [words("card.other_path", { path })];
    };
  }
})();
