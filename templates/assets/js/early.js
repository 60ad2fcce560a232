// Runs before the first paint: says that scripts work, and restores the reader's choice of light or dark.
"use strict";

/** @type {any} what the page's scripts share */
globalThis.RLPU = {};

(function () {
  const root = document.documentElement;
  root.classList.replace("no-js", "js");
  try {
    const theme = localStorage.getItem("theme");
    if (theme === "light" || theme === "dark") root.dataset.theme = theme;
  } catch (error) {
    // Storage may be forbidden; the theme then follows the system.
  }
})();
