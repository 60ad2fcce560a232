// Scripts that are loaded when they are first used; a saved page has them inside.
"use strict";

(function () {
  if (!RLPU.live) return;
  const base = document.currentScript instanceof HTMLScriptElement ? document.currentScript.src : "";

  /** Load a script of the pages, unless it is there. @param {string} name @param {() => any} there */
  RLPU.need = async (name, there) => {
    if (there()) return;
    await new Promise((resolve, reject) => {
      const script = document.createElement("script");
      script.src = new URL(name + ".js", base).href;
      script.onload = resolve;
      script.onerror = reject;
      document.head.append(script);
    });
  };

  // What is not needed for the first view comes once all else is there.
  if (base) addEventListener("load", () => RLPU.need("edges", () => RLPU.edges).catch(() => {}));

  // A button that needs a script: the first click loads it, and is then repeated for the script to hear.
  for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll("button[data-needs]"))) {
    const name = button.dataset.needs || "";
    const there = () => RLPU[name];
    let loading = false;
    button.addEventListener("click", async () => {
      if (there() || loading) return;
      loading = true;
      await RLPU.need(name, there).finally(() => { loading = false; });
      button.click();
    });
    button.closest("section[hidden]")?.removeAttribute("hidden");
  }
})();
