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
    const figure = colored(JSON.parse(source.textContent || "{}"), getComputedStyle(document.documentElement));
    figure.layout.width = plot.clientWidth; // said outright: Plotly measures too late for paper
    figure.layout.height = plot.clientHeight;
    figure.layout.font.family = getComputedStyle(plot).fontFamily;
    await Plotly.react(plot, figure.data, figure.layout, { displayModeBar: false });
    plot.dataset.drawn = "";
    if (!drawn.includes(plot)) drawn.push(plot);
  }

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
  matchMedia("print").addEventListener("change", redraw); // paper is white whatever the theme
  let waiting = 0;
  addEventListener("resize", () => {
    clearTimeout(waiting);
    waiting = setTimeout(redraw, 150);
  });
})();
