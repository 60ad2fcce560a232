// Charts: a Plotly figure is drawn when its place comes near the window; the library is fetched with the first one.
"use strict";

(function () {
  /** @type {HTMLElement[]} */
  const drawn = [];
  /** @type {Promise<void> | null} */
  let library = null;
  const base = document.currentScript instanceof HTMLScriptElement ? document.currentScript.src : "";

  /** Load Plotly once. A classic script works from file:// too, where fetch and modules do not. */
  function load() {
    const inside = /** @type {any} */ (globalThis).RLPU_PLOTLY; // a saved page has it inside already
    if (inside && !("Plotly" in globalThis)) inside();
    if ("Plotly" in globalThis) return Promise.resolve();
    library = library || new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = new URL("../vendor/plotly/plotly-basic.min.js", base).href;
      script.onload = () => resolve();
      script.onerror = () => reject(new Error(script.src));
      document.head.append(script);
    });
    return library;
  }

  /**
   * Return a copy of a figure in which every var(--name) is replaced by the value of that custom property.
   * @param {any} value
   * @param {CSSStyleDeclaration} style
   * @returns {any}
   */
  function colored(value, style) {
    if (typeof value === "string") return value.startsWith("var(--") ? style.getPropertyValue(value.slice(4, -1)).trim() : value;
    if (Array.isArray(value)) return value.map((item) => colored(item, style));
    if (value && typeof value === "object") {
      return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, colored(item, style)]));
    }
    return value;
  }

  /** @param {string} name @param {HTMLElement} source */
  function figureOf(name, source) {
    const figure = JSON.parse(source.textContent || "{}");
    return withPinned(name, latest ? renewed(name, figure, latest) : figure);
  }

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
      hovertemplate: "A<br>%{x}: %{y:.6~g}<extra></extra>" });
    return figure;
  }

  /** @param {HTMLElement} plot */
  async function draw(plot) {
    const source = document.getElementById("chart-" + plot.dataset.chart + "-data");
    if (!source) return;
    try {
      await load();
    } catch (error) {
      plot.hidden = true;
      const note = plot.parentElement && plot.parentElement.querySelector(".chart-off");
      if (note instanceof HTMLElement) note.style.display = "block";
      return;
    }
    const figure = colored(figureOf(plot.dataset.chart || "", source), getComputedStyle(document.documentElement));
    figure.layout.width = plot.clientWidth; // said outright: Plotly measures too late for paper
    figure.layout.height = plot.clientHeight;
    figure.layout.font.family = getComputedStyle(plot).fontFamily;
    await Plotly.react(plot, figure.data, figure.layout, { displayModeBar: false });
    plot.dataset.drawn = "";
    if (drawn.includes(plot)) return;
    drawn.push(plot);
    /** @type {any} */ (plot).on("plotly_click", (/** @type {any} */ event) => {
      const point = event.points[0];
      if (RLPU.live && point.customdata !== undefined) RLPU.live.pick(point.customdata);
    });
  }

  /**
   * Return the default figure with new results in it.
   * @param {string} name @param {any} figure @param {any} results settings, curves, plateaus, places, step
   */
  function renewed(name, figure, results) {
    if (name === "plateaus") return plateaus(figure, results);
    const current = results.settings.beta;
    const plain = figure.data.find((/** @type {any} */ trace) => trace.zorder === 0) || figure.data[0];
    const main = figure.data.find((/** @type {any} */ trace) => trace.zorder === 1);
    const dashes = ["dot", "dash", "dashdot", "longdash", "longdashdot"];
    figure.data = results.curves.map((/** @type {any} */ curve, /** @type {number} */ index) => {
      const stressed = curve.beta === current;
      const like = stressed ? main : plain;
      const label = "β = " + RLPU.format.text(curve.beta, null);
      const dash = stressed ? "solid" : dashes[index % dashes.length];
      return { ...like, x: curve[name].map((/** @type {any} */ _, /** @type {number} */ n) => n), y: curve[name].map((/** @type {any} */ value) => (typeof value === "string" ? null : value)),
        name: label, line: { ...like.line, dash }, hovertemplate: label + "<br>%{x}: %{y:.6~g}<extra></extra>" };
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

  /** @type {any} the results that the charts show, when they are not the default ones */
  let latest = null;

  /** @type {any} a pinned run: its curve and its step */
  let pinned = null;

  const plots = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".plot")]);
  const near = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (!entry.isIntersecting) continue;
      near.unobserve(entry.target);
      draw(/** @type {HTMLElement} */ (entry.target));
    }
  }, { rootMargin: "600px" });
  for (const plot of plots) near.observe(plot);
  const redraw = () => drawn.forEach((plot) => draw(plot));
  document.addEventListener("themechange", redraw);
  RLPU.charts = {
    load,
    /** Show new results in every chart that is drawn, and in those drawn later. @param {any} results */
    update(results) {
      latest = results;
      redraw();
    },

    /** Draw another run's curve too, or take it away. @param {{curve: any, step: number} | null} run */
    pin(run) {
      pinned = run;
      redraw();
    },
  };
  matchMedia("print").addEventListener("change", redraw); // paper is white whatever the theme
  let waiting = 0;
  addEventListener("resize", () => {
    clearTimeout(waiting);
    waiting = setTimeout(redraw, 150);
  });
})();
