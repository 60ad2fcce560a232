// A quiet button beside each figure and table; what it opens is loaded when it is first used (figure-menu.js).
"use strict";

(function () {
  const live = RLPU.live;
  if (!live) return;
  const base = document.currentScript instanceof HTMLScriptElement ? document.currentScript.src : "";

  /** Load a script of the pages once; a saved page has it inside. @param {string} name @param {() => any} there */
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

  for (const figure of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("main figure[id]"))) {
    const caption = figure.querySelector("figcaption");
    if (!caption) continue;
    const title = (caption.querySelector("strong") || caption).textContent?.trim() || "";
    const button = document.createElement("button");
    button.type = "button";
    button.className = "figure-menu js-made";
    button.textContent = "⋯";
    button.setAttribute("aria-label", live.words("tools.figure_menu", { title }));
    button.title = live.words("tools.figure_menu", { title: "" }).replace(/[:：]\s*$/, "");
    button.setAttribute("aria-expanded", "false");
    button.addEventListener("click", async () => {
      await RLPU.need("figure-menu", () => RLPU.figureMenu);
      RLPU.figureMenu(figure, caption, button);
    });
    caption.before(button);
  }
})();
