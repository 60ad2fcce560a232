// "Save this page": the document as one file, with its state painted and all that it needs inside.
"use strict";

(function () {
  const live = RLPU.live;
  const ON_DEMAND = ["only", "figure-menu", "picture", "pin", "check", "edges", "save"]; // scripts that a page loads later
  const base = document.currentScript instanceof HTMLScriptElement ? document.currentScript.src : "";

  /** Load the page's own styles and scripts as text; a page opened from disk may not read its files. */
  function parts() {
    const scope = /** @type {any} */ (globalThis);
    if (document.documentElement.dataset.saved !== undefined) return Promise.resolve({ ...scope.RLPU_PARTS, ...texts() });
    return scope.RLPU_PARTS ? Promise.resolve(scope.RLPU_PARTS) : new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = new URL("../parts.js", base).href;
      script.onload = () => resolve(scope.RLPU_PARTS);
      script.onerror = reject;
      document.head.append(script);
    });
  }

  /** The style and the scripts that a saved page has inside: they need not stand there twice. */
  function texts() {
    const scripts = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("script[data-script]")]);
    return {
      style: document.querySelector("head > style")?.textContent || "",
      scripts: Object.fromEntries(scripts.map((element) => [element.dataset.script, element.textContent])),
    };
  }

  /**
   * Return a script element with a text inside, which the saved page's policy knows by its nonce.
   * @param {string} text @param {string} nonce @param {string} name of the page's own scripts
   */
  function script(text, nonce, name) {
    const element = document.createElement("script");
    element.setAttribute("nonce", nonce);
    if (name) element.dataset.script = name;
    element.textContent = text.replace(/<\/script/gi, "<\\/script").replace(/<!--/g, "<\\!--");
    return element;
  }

  /** Return the document as one file: the state painted, styles and scripts inside, nothing that leads to other files. */
  async function wholePage() {
    await live.core();
    await RLPU.charts.load();
    await RLPU.cardCopy.cite();
    const { style, scripts, policy, order: saved } = await parts(); // a saved page knows the order of its scripts
    const scope = /** @type {any} */ (globalThis);
    const names = [...document.scripts].map((element) => /\/js\/([a-z-]+)\.js$/.exec(element.src)?.[1]).filter(Boolean);
    const order = /** @type {string[]} */ (names.length ? [...new Set([...names, ...ON_DEMAND])] : saved);
    document.dispatchEvent(new Event("beforesave"));
    const values = controlValues();
    const copy = /** @type {HTMLElement} */ (document.documentElement.cloneNode(true));
    strip(copy);
    putValues(copy, values);
    copy.dataset.saved = live.hash();
    const note = document.createElement("p");
    note.className = "saved-note";
    note.textContent = live.words("tools.saved_note", { state: live.hash() });
    copy.querySelector(".saved-note")?.remove();
    copy.querySelector("main")?.prepend(note);
    const nonce = newNonce();
    /** @param {string} text @param {string} [name] */
    const inside = (text, name = "") => script(text, nonce, name);
    copy.querySelector("meta[http-equiv]")?.setAttribute("content", policy.replaceAll("{nonce}", nonce));
    const sheet = document.createElement("style");
    sheet.setAttribute("nonce", nonce);
    sheet.textContent = style;
    const head = /** @type {HTMLElement} */ (copy.querySelector("head"));
    head.append(sheet, inside(scripts.early, "early"));
    const body = /** @type {HTMLElement} */ (copy.querySelector("body"));
    body.append(
      inside("globalThis.RLPU_MICROPYTHON=" + scope.RLPU_MICROPYTHON + ";"),
      inside("globalThis.RLPU_PLOTLY=" + scope.RLPU_PLOTLY + ";"),
      inside("globalThis.RLPU_WASM=" + JSON.stringify(scope.RLPU_WASM) + ";globalThis.RLPU_CORE=" + JSON.stringify(scope.RLPU_CORE) + ";"),
      inside("globalThis.RLPU_PARTS_OF_DIGITS=" + JSON.stringify(scope.RLPU_PARTS_OF_DIGITS || {}) + ";"),
      inside("globalThis.RLPU_PARTS=" + JSON.stringify({ policy, order }) + ";"),
      ...order.filter((name) => name !== "early").map((name) => inside(scripts[name], name)), // not those of other pages
    );
    return "<!doctype html>\n" + copy.outerHTML;
  }

  /** Return a word that nobody can guess. */
  function newNonce() {
    return btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(18))));
  }

  /** Return what stands in the controls, which attributes do not say. */
  function controlValues() {
    const controls = /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("form[data-controls] :is(input, select)"));
    return [...controls].map((item) => item.value);
  }

  /** @param {HTMLElement} copy @param {string[]} values */
  function putValues(copy, values) {
    copy.querySelectorAll("form[data-controls] :is(input, select)").forEach((item, index) => {
      if (item instanceof HTMLInputElement) item.setAttribute("value", values[index]);
      else item.querySelectorAll("option").forEach((option) => option.toggleAttribute("selected", option.value === values[index]));
    });
  }

  /** Take out what scripts add again, and every way to another file. @param {HTMLElement} copy */
  function strip(copy) {
    copy.className = "no-js";
    copy.removeAttribute("style");
    copy.querySelectorAll("script:not([type]), link, style, .js-made, #js-plotly-tester").forEach((element) => element.remove());
    copy.querySelectorAll("button.pick").forEach((button) => button.replaceWith(...button.childNodes));
    copy.querySelectorAll(".plot").forEach((plot) => {
      plot.replaceChildren();
      plot.className = "plot";
      plot.removeAttribute("data-drawn");
    });
    copy.querySelectorAll("details.data").forEach((details) => details.setAttribute("open", ""));
    copy.querySelectorAll("form[data-controls], .tools, [data-scripted]").forEach((element) => element.setAttribute("hidden", ""));
    copy.querySelectorAll("[data-unscripted]").forEach((element) => element.removeAttribute("hidden"));
    copy.querySelectorAll(".moved, .pointed").forEach((element) => element.classList.remove("moved", "pointed"));
    copy.querySelectorAll("p > a[download]:only-child").forEach((link) => link.parentElement?.remove());
    copy.querySelectorAll("a[href]").forEach((link) => {
      if (!/^(#|https?:)/.test(link.getAttribute("href") || "")) link.removeAttribute("href");
    });
  }

  /** Offer the page as one file, as it is now; return the file's name. */
  RLPU.save = async () => {
    const text = await wholePage();
    const lang = document.documentElement.lang.slice(0, 2);
    const name = live.painter.filled(live.data.file, { ...live.settings(), lang }) + ".html";
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "text/html" }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
    return name;
  };
})();
