// Runs before the first paint: says that scripts work, restores the reader's choice of light or dark, hides what `only` hides.
"use strict";

/** @type {any} what the page's scripts share */
globalThis.RLPU = {};

(function () {
  const root = document.documentElement;
  const source = document.currentScript instanceof HTMLScriptElement ? document.currentScript.src : "";
  root.classList.replace("no-js", "js");

  /** Hide the page until the script that shows one figure of it is there (only.js). */
  function only() {
    if (RLPU.only || !/[#&]only=/.test(location.hash)) return;
    root.classList.add("only", "only-wait");
    if (!source) return; // a saved page has it inside
    const script = document.createElement("script");
    script.src = new URL("only.js", source).href;
    script.onerror = () => root.classList.remove("only", "only-wait");
    document.head.append(script);
  }

  only();
  addEventListener("hashchange", only);
  try {
    const wish = /[#&]theme=(light|dark)(&|$)/.exec(location.hash)?.[1]; // slides may be light on a dark system
    const theme = wish || (root.classList.contains("only") ? null : localStorage.getItem("theme"));
    if (theme === "light" || theme === "dark") root.dataset.theme = theme;
  } catch (error) {
    // Storage may be forbidden; the theme then follows the system.
  }
})();
