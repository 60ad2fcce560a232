// Charts: a Plotly figure is drawn when its place comes near the window; the library is fetched with the first one.
"use strict";

(function () {
  /** @type {HTMLElement[]} */
  const drawn = [];
  const DECIMALS = 4; // of a number that stands in a chart
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
    const renew = RLPU.charts.renew[name];
    if (renew) return renew(figure, latest);
    return latest ? bound(figure, latest) : figure;
  }

  /** A point that was clicked: {key: value} are settings, a number is for the page itself. @param {any} custom */
  function choose(custom) {
    if (custom && typeof custom === "object") RLPU.live.change(custom);
    else if (typeof custom === "number") RLPU.live.pick?.(custom);
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
      if (RLPU.live) choose(event.points[0].customdata);
    });
  }

  /** Return a value without the words in it (infinite, undefined): they have no place in a chart. @param {any} value @returns {any} */
  function drawable(value) {
    if (Array.isArray(value)) return value.map(drawable);
    return value in RLPU.format.words ? null : value;
  }

  /** A number as it stands in a chart, where there is little room: without zeros at its end. @param {any} value */
  function label(value) {
    return RLPU.format.text(value, DECIMALS).replace(/^(−?\d+)(?:\.0+|(\.\d*?)0+)$/, "$1$2");
  }

  /** Put results where a figure's `bind` says: [path in the figure, path in the results]. @param {any} figure @param {any} results */
  function bound(figure, results) {
    for (const [target, source] of figure.bind || []) {
      const value = RLPU.at(results, source.split("."));
      const path = target.split(".");
      const last = path.pop();
      const written = path[path.length - 1] === "text"; // a number in words of the page
      if (value !== undefined) RLPU.at(figure, path)[last] = written ? label(value) : drawable(value);
    }
    return figure;
  }

  /** @type {any} the results that the charts show, when they are not the default ones */
  let latest = null;

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
    redraw,

    /** Return a chart's figure as it is now, in the colours that the page has now. @param {string} name */
    figure(name) {
      const source = /** @type {HTMLElement} */ (document.getElementById("chart-" + name + "-data"));
      return colored(figureOf(name, source), getComputedStyle(document.documentElement));
    },

    /**
     * A page's own ways to put results into a figure, by the chart's name. The results are null before the first ones.
     * @type {Record<string, (figure: any, results: any) => any>}
     */
    renew: {},

    /** Show new results in every chart that is drawn, and in those drawn later. @param {any} results */
    update(results) {
      latest = results;
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
