// Citations of one number, by the same templates and rules as publish/citing/citation.py. Loaded when a reader first asks for one.
"use strict";

(function () {
  if (!RLPU.live) return;
  const { data } = RLPU.live;
  const FORMATS = ["text", "bibtex", "gbt7714", "latex", "json"];
  const FIXED = /^−?[0-9]+(?:\.([0-9]+))?$/;
  const SCIENTIFIC = /^(?:(−?[0-9.]+) × |< )10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)$/;
  const UNCERTAIN = "≈ ";
  const LOWERED = "⁻⁰¹²³⁴⁵⁶⁷⁸⁹";
  const ENDLESS = /** @type {Record<string, string>} */ ({ "∞": "\\infty", "−∞": "-\\infty" });
  const SHORT = 12; // characters of the config digest in running text
  const lang = document.documentElement.lang.slice(0, 2);
  /** @type {HTMLSelectElement | null} */
  let choice = null;
  /** @type {HTMLTextAreaElement | null} */
  let field = null;
  /** @type {HTMLParagraphElement | null} */
  let verified = null;

  /** @param {string} key @param {Record<string, string>} [values] */
  function words(key, values = {}) {
    return RLPU.citeData.words[lang]["cite." + key].replace(/\{\{|\}\}|\{(\w+)\}/g, (/** @type {string} */ match, /** @type {string} */ name) =>
      (name ? values[name] : match[0]));
  }

  /** A setting as an address has it. @param {any} value */
  const written = (value) => [value].flat().join(",");

  // --- TeX, as publish/words/tex.py writes it ---

  /** @param {string} text */
  const texText = (text) => [...text].map((character) => RLPU.citeData.tex[character] ?? character).join("");

  /** @param {string} text @returns {string} "" for words */
  function texMath(text) {
    if (text.startsWith(UNCERTAIN)) return "\\approx " + texMath(text.slice(UNCERTAIN.length));
    if (FIXED.test(text)) return text.replace("−", "-");
    const match = SCIENTIFIC.exec(text);
    if (!match) return ENDLESS[text] || "";
    const exponent = [...match[2]].map((digit) => "-0123456789"[LOWERED.indexOf(digit)]).join("");
    return (match[1] ? match[1].replace("−", "-") + " \\times" : "<") + " 10^{" + exponent + "}";
  }

  /** @param {string} text */
  function texNumber(text) {
    const math = texMath(text);
    return math ? "$" + math + "$" : texText(text);
  }

  /** @param {string} address */
  const texAddress = (address) => texText(address).replace(/(\\&|\/|,)/g, "$1\\allowbreak ");

  // --- what a citation names ---

  /** The settings of the state in which a number is shown; one that no state changes stands as in the default state. @param {string} id */
  function settingsOf(id) {
    const { state } = document.documentElement.dataset;
    const home = RLPU.live.home(id);
    const follows = home === data && state && !RLPU.live.fixed(id) && RLPU.live.painter.value(id) !== undefined;
    return follows ? { ...data.settings, ...RLPU.hash.read(state, data).settings } : home.settings;
  }

  /**
   * Where the state stands: the public address, the page's own on the web, or the path from the site's folder.
   * @param {string} page @param {string} hash
   */
  function addressOf(page, hash) {
    const { address } = RLPU.citeData.edition;
    const path = lang + "/" + page + ".html";
    const isPublic = /^https?:$/.test(location.protocol) && !/^(localhost|127\.|\[::1\])/.test(location.hostname);
    const here = isPublic ? new URL(page + ".html", location.href).href : path;
    return (address ? address.replace(/\/+$/, "") + "/" + path : here) + "#" + hash;
  }

  /** Everything that is known of a number as it stands on the page. @param {HTMLDataElement} number */
  function about(number) {
    const id = number.dataset.number || "";
    const { shape } = RLPU.cardText.known(id);
    const settings = settingsOf(id);
    const home = RLPU.live.home(id);
    const names = home.keys.map((/** @type {any} */ key) => key.name);
    const changed = names.filter((/** @type {string} */ name) => written(settings[name]) !== written(home.settings[name]));
    const value = Number.isNaN(Number(number.value)) || !number.value ? number.value : String(Number(number.value));
    return { id, shape, home, settings, names, changed, value, text: number.textContent || "" };
  }

  /** The text shown, and the value at full precision where that says more. @param {string} text @param {string} value */
  function result(text, value) {
    if (!value) return words("absent");
    return !Number.isFinite(Number(value)) || value.replace("-", "−") === text ? text : words("result", { text, value });
  }

  /** What the templates may name. @param {ReturnType<typeof about>} known @returns {Record<string, string>} */
  function fields(known) {
    const { id, shape, home, settings, changed, value, text } = known;
    const { edition, sources, shapes, titles, semicolon } = RLPU.citeData;
    const list = changed.map((/** @type {string} */ name) => name + " = " + written(settings[name])).join(semicolon[lang]);
    const parts = changed.map((/** @type {string} */ name) => name + "-" + written(settings[name]).replace(/,/g, "_"));
    return {
      id, text, value,
      result: result(text, value),
      label: RLPU.cardText.label(id, shape),
      source: sources[shapes[shape][0]],
      title: titles[home.page][lang],
      author: words("author"),
      version: edition.version,
      date: edition.date,
      year: edition.date.slice(0, 4),
      config: edition.config.slice(0, SHORT),
      state: list ? words("state", { settings: list }) : words("default_state"),
      address: addressOf(home.page, RLPU.hash.write(settings, home, { show: id })),
      entry: ["rlpu", edition.version, id, ...parts].join(":").replace(/\+/g, ""),
    };
  }

  /** @param {ReturnType<typeof about>} known @param {Record<string, string>} plain */
  function asJson(known, plain) {
    const { id, shape, home, settings, names, changed, value, text } = known;
    const pick = (/** @type {string[]} */ keys) => Object.fromEntries(keys.map((name) => [name, settings[name]]));
    const number = value === "" ? null : Number.isFinite(Number(value)) ? Number(value) : value;
    const fixed = FIXED.exec(text);
    return JSON.stringify({
      id, value: number, text, decimals: fixed ? (fixed[1] || "").length : null,
      label: plain.label, formula: data.numbers[shape][2], source: plain.source, page: home.page, title: plain.title,
      version: plain.version, date: plain.date, config: RLPU.citeData.edition.config,
      settings: pick(names), changed: pick(changed), address: plain.address,
    }, null, 1);
  }

  /** Return the citation of a number of the page. @param {HTMLDataElement} number @param {string} form one of FORMATS */
  function citation(number, form) {
    const known = about(number);
    const plain = fields(known);
    if (form === "json") return asJson(known, plain);
    if (form !== "bibtex" && form !== "latex") return words(form, plain);
    const { address, entry, text } = plain;
    const config = form === "bibtex" ? RLPU.citeData.edition.config : plain.config;
    const escaped = Object.fromEntries(Object.entries({ ...plain, config }).map(([name, value]) => [name, texText(value)]));
    return words(form, { ...escaped, address, entry, math: texNumber(text), link: texAddress(address) });
  }

  // --- the part of the card ---

  /** @template {keyof HTMLElementTagNameMap} K @param {K} tag @param {string} id */
  function made(tag, id) {
    const element = document.createElement(tag);
    element.id = id;
    return element;
  }

  /** Put the choice of formats, the text and its button into the card, once. @param {HTMLElement} holder @param {HTMLElement} buttons */
  function build(holder, buttons) {
    if (choice) return;
    holder.setAttribute("aria-label", words("title"));
    const select = choice = made("select", "cite-format");
    const named = made("label", "cite-label");
    named.htmlFor = select.id;
    named.textContent = words("format");
    for (const form of FORMATS) select.append(new Option(words("as_" + form), form));
    field = made("textarea", "cite-text");
    field.readOnly = true;
    field.rows = 6;
    field.setAttribute("aria-label", words("written"));
    const button = made("button", "cite-copy");
    button.type = "button";
    button.dataset.copy = "cite";
    button.textContent = words("copy");
    verified = made("p", "cite-verified");
    holder.append(verified, named, select, field);
    buttons.prepend(button);
    select.addEventListener("change", () => { if (last) show(last); });
  }

  /** @type {HTMLDataElement | null} the number cited last */
  let last = null;

  /** By which routes a kind of number was computed again, if it was. @param {string} shape @returns {string} */
  function again(shape) {
    const [, place] = RLPU.citeData.shapes[shape];
    return place === undefined ? "" : RLPU.citeData.verified[place][lang];
  }

  /** Write the citation of a number in the chosen format. @param {HTMLDataElement} number */
  function show(number) {
    last = number;
    if (!field || !choice || !verified) return;
    verified.textContent = again(RLPU.cardText.known(number.dataset.number || "").shape);
    verified.hidden = !verified.textContent;
    const text = citation(number, choice.value);
    if (field.value !== text) field.value = text;
  }

  RLPU.cite = { build, show, citation, copied: () => words("copied") };
})();
