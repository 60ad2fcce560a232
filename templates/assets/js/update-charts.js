// The main page's charts: curves over the updates, one for each beta and one of a pinned run, and the clip chart.
"use strict";

(function () {
  /** @type {any} a pinned run: its curve and its step */
  let pinned = null;

  /** Add the pinned run's curve, "A", with a mark at its step; its colour is no quantity's. @param {string} name @param {any} figure */
  function withPinned(name, figure) {
    const values = pinned && pinned.curve[name];
    if (!values) return figure;
    const mark = (/** @type {any} */ yes, /** @type {any} */ no, /** @type {number} */ at) =>
      values.map((/** @type {any} */ _, /** @type {number} */ n) => (n === at ? yes : no));
    const { shape } = figure.data[0].line;
    figure.data.push({ type: "scatter", mode: "lines+markers+text", name: "A", zorder: 2, cliponaxis: false,
      x: values.map((/** @type {any} */ _, /** @type {number} */ n) => n), y: values,
      line: { color: "var(--text)", width: 2, dash: "10px,3px,2px,3px", shape },
      marker: { color: "var(--text)", opacity: 1, symbol: "square", size: mark(9, 0, pinned.step) },
      text: mark("A", "", values.length - 1), textposition: "top left", textfont: { color: "var(--text)", size: 15 },
      hovertemplate: "A<br>%{x}: %{y}<extra></extra>" });
    return figure;
  }

  /**
   * Return the default figure with new results in it.
   * @param {string} name @param {any} figure @param {any} results settings, curves, plateaus, places, step
   */
  function curves(name, figure, results) {
    const current = results.settings.beta;
    const plain = figure.data.find((/** @type {any} */ trace) => trace.zorder === 0) || figure.data[0];
    const main = figure.data.find((/** @type {any} */ trace) => trace.zorder === 1);
    const dashes = ["dot", "dash", "dashdot", "longdash", "longdashdot"];
    const marks = ["triangle-up-open", "square-open", "diamond-open", "cross-open", "triangle-down-open"];
    figure.data = results.curves.map((/** @type {any} */ curve, /** @type {number} */ index) => {
      const stressed = curve.beta === current;
      const like = stressed ? main : plain;
      const label = "β = " + RLPU.format.text(curve.beta, null);
      const dash = stressed ? "solid" : dashes[index % dashes.length];
      const symbol = stressed ? "circle" : marks[index % marks.length];
      return { ...like, x: curve[name].map((/** @type {any} */ _, /** @type {number} */ n) => n), y: curve[name].map((/** @type {any} */ value) => (typeof value === "string" ? null : value)),
        name: label, line: { ...like.line, dash }, marker: { ...like.marker, symbol }, hovertemplate: label + "<br>%{x}: %{y}<extra></extra>" };
    });
    const here = { type: "line", xref: "x", yref: "paper", x0: results.step, x1: results.step, y0: 0, y1: 1 };
    figure.layout.shapes = [{ ...here, line: { color: "var(--strong-line)", width: 1 } }];
    return figure;
  }

  /** @param {any} figure @param {any} results */
  function plateaus(figure, { plateaus, places }) {
    const [rect, low, high] = figure.layout.shapes;
    Object.assign(rect, { x0: plateaus.low, x1: plateaus.high });
    Object.assign(low, { x0: plateaus.low, x1: plateaus.low });
    Object.assign(high, { x0: plateaus.high, x1: plateaus.high });
    const [textLow, textHigh, positive, negative] = figure.layout.annotations;
    Object.assign(textLow, { x: plateaus.low });
    Object.assign(textHigh, { x: plateaus.high });
    Object.assign(positive, { x: plateaus.corners[0], y: plateaus.positive[0] });
    Object.assign(negative, { x: plateaus.corners[0], y: plateaus.negative[0] });
    [1, -1].forEach((sign, index) => {
      const points = plateaus.points.filter((/** @type {any} */ point) => point.sign === sign);
      const [curve, marks] = figure.data.slice(2 * index, 2 * index + 2);
      Object.assign(curve, { x: plateaus.corners, y: sign > 0 ? plateaus.positive : plateaus.negative });
      Object.assign(marks, {
        x: points.map((/** @type {any} */ point) => point.ratio),
        y: points.map((/** @type {any} */ point) => point.height),
        text: points.map((/** @type {any} */ point) => places[point.index]),
        customdata: points.map((/** @type {any} */ point) => point.index),
      });
    });
    return figure;
  }

  for (const name of ["loss", "kl", "clipped"]) {
    RLPU.charts.renew[name] = (/** @type {any} */ figure, /** @type {any} */ results) =>
      withPinned(name, results ? curves(name, figure, results) : figure);
  }
  RLPU.charts.renew.plateaus = (/** @type {any} */ figure, /** @type {any} */ results) =>
    (results ? plateaus(figure, results) : figure);

  /** Draw another run's curve too, or take it away. @param {{curve: any, step: number} | null} run */
  RLPU.charts.pin = (run) => {
    pinned = run;
    RLPU.charts.redraw();
  };
})();
