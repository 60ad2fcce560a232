// A quiet button beside each figure and table; what it opens is loaded when it is first used (figure-menu.js).
"use strict";

(function () {
  const live = RLPU.live;
  if (!live) return;

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
