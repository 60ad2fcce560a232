// A chart as a picture: drawn anew in light colours, with its caption, settings, address and edition inside.
"use strict";

(function () {
  const live = RLPU.live;
  const SVG = "http://www.w3.org/2000/svg";
  const [WIDTH, HEIGHT, MARGIN] = [800, 450, 24];
  const INSET = 12; // of the drawing
  const [SIZE, SMALL, LEADING] = [15, 12, 1.5];
  const SCALE = 2; // of a PNG's pixels
  // A Han character with the closing marks behind it, a word with the blank behind it, or a piece of a long word.
  const PIECES = /[\u2e80-\u9fff\uff00-\uffef][\u3001\u3002\uff09\uff0c\uff1a\uff1b\uff1f\u201d\u2019]*|[^\s&/\u2e80-\u9fff\uff00-\uffef]{1,24}[&/]*\s*|[&/]+\s*|\s+/gu;

  /** Return what an element says, formulas as text. @param {Element} element */
  function textOf(element) {
    const copy = /** @type {Element} */ (element.cloneNode(true));
    copy.querySelectorAll("math, .js-made").forEach((part) => part.remove());
    return (copy.textContent || "").replace(/\s+/g, " ").replace(/([。，；：）]) /g, "$1").trim();
  }

  /** Break a text into lines that fit. @param {string} text @param {string} font @returns {string[]} */
  function lines(text, font) {
    const pen = /** @type {CanvasRenderingContext2D} */ (document.createElement("canvas").getContext("2d"));
    pen.font = font;
    const found = [""];
    for (const piece of text.match(PIECES) || []) {
      const last = found[found.length - 1];
      if (last && pen.measureText(last + piece.trimEnd()).width > WIDTH - 2 * MARGIN) found.push(piece.trimStart());
      else found[found.length - 1] += piece;
    }
    return found.map((line) => line.trimEnd());
  }

  /** @param {Element} parent @param {string} name @param {Record<string, any>} attributes @param {string} [text] */
  function add(parent, name, attributes, text = "") {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
    element.textContent = text;
    parent.append(element);
    return element;
  }

  /** Do something while the page's colours are the light ones; nothing is painted meanwhile. @template T @param {() => T} action @returns {T} */
  function inLight(action) {
    const root = document.documentElement;
    const theme = root.dataset.theme;
    root.dataset.theme = "light";
    try {
      return action();
    } finally {
      if (theme) root.dataset.theme = theme;
      else delete root.dataset.theme;
    }
  }

  /** Return a chart as Plotly draws it in light colours, as the text of an SVG element. @param {string} name @param {string} family */
  async function drawing(name, family) {
    await RLPU.charts.load();
    const figure = inLight(() => RLPU.charts.figure(name));
    Object.assign(figure.layout, { width: WIDTH - 2 * INSET, height: HEIGHT, paper_bgcolor: "#fff" });
    figure.layout.font.family = family;
    const text = /** @type {string} */ (await Plotly.toImage({ data: figure.data, layout: figure.layout, config: { staticPlot: true } },
      { format: "svg", width: WIDTH - 2 * INSET, height: HEIGHT, imageDataOnly: true }));
    return text.replace("<svg", `<svg x="${INSET}" aria-hidden="true"`);
  }

  /**
   * Return the whole picture as the text of an SVG element. The drawing is put in as text: parsed in the page, its
   * style attributes would be against the page's policy.
   * @param {HTMLElement} figure @param {HTMLElement} caption @param {string} address
   */
  async function composed(figure, caption, address) {
    const family = getComputedStyle(figure).fontFamily;
    const name = figure.querySelector(".plot")?.getAttribute("data-chart") || "";
    const color = inLight(() => {
      const style = getComputedStyle(document.documentElement);
      return { text: style.getPropertyValue("--text").trim(), soft: style.getPropertyValue("--soft").trim() };
    });
    const title = textOf(caption.querySelector("strong") || caption).replace(/[.。]$/, "");
    const whole = textOf(caption);
    const link = address + "#" + live.hash({ show: figure.id });
    const edition = [document.querySelector(".home")?.textContent, document.querySelector(".edition")?.textContent,
      "SHA-256 " + document.querySelector(".digest")?.textContent?.slice(0, 12)].filter(Boolean).join(" · ");
    const small = [RLPU.settingsSaid(), edition, link];
    const chart = await drawing(name, family);
    const svg = document.createElementNS(SVG, "svg");
    svg.setAttribute("lang", document.documentElement.lang);
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-labelledby", "title desc");
    add(svg, "title", { id: "title" }, title);
    add(svg, "desc", { id: "desc" }, [whole, ...small].join("\n"));
    const ground = add(svg, "rect", { width: "100%", height: "100%", fill: "#fff" });
    svg.append(document.createComment("chart"));
    let y = HEIGHT + SIZE * LEADING;
    /** @param {string} text @param {number} size @param {string} fill */
    const write = (text, size, fill) => {
      for (const line of lines(text, `${size}px ${family}`)) {
        add(svg, "text", { x: MARGIN, y: Math.round(y), "font-family": family, "font-size": size, fill }, line);
        y += size * LEADING;
      }
    };
    write(whole, SIZE, color.text);
    y += 4;
    for (const text of small) write(text, SMALL, color.soft);
    const height = Math.ceil(y + MARGIN - SMALL);
    for (const [key, value] of Object.entries({ width: WIDTH, height, viewBox: `0 0 ${WIDTH} ${height}` })) svg.setAttribute(key, String(value));
    ground.setAttribute("height", String(height));
    return { text: new XMLSerializer().serializeToString(svg).replace("<!--chart-->", () => chart), height };
  }

  /** Return a picture as PNG, two pixels for one. @param {string} svg @param {number} height @returns {Promise<Blob>} */
  async function png(svg, height) {
    const image = new Image(WIDTH, height);
    image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(svg);
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [WIDTH * SCALE, height * SCALE];
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return new Promise((resolve, reject) => {
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("png"))), "image/png");
    });
  }

  /**
   * Download a chart; return the name of the file.
   * @param {HTMLElement} figure @param {HTMLElement} caption @param {"svg" | "png"} kind @param {string} address
   */
  RLPU.picture = async (figure, caption, kind, address) => {
    const { text, height } = await composed(figure, caption, address);
    const whole = '<?xml version="1.0" encoding="UTF-8"?>\n' + text + "\n";
    const blob = kind === "svg" ? new Blob([whole], { type: "image/svg+xml" }) : await png(text, height);
    const lang = document.documentElement.lang.slice(0, 2);
    const name = live.painter.filled(live.data.file, { ...live.settings(), lang }) + "-" + figure.id + "." + kind;
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
    return name;
  };
})();
