// Tables and formulas that scroll sideways fade out at the edge behind which more of them is.
"use strict";

(function () {
  const WIDE = ".scroll, .formula";
  const NEARLY = 1; // pixel: widths are rounded
  const scrolled = new WeakSet();

  /** Which edges have more behind them. @param {Element} box */
  function look(box) {
    const hidden = box.scrollWidth - box.clientWidth;
    const left = Math.abs(box.scrollLeft);
    const more = hidden <= NEARLY ? [false, false] : [left > NEARLY, left < hidden - NEARLY];
    box.classList.toggle("more-before", more[0]);
    box.classList.toggle("more-after", more[1]);
    if (hidden <= NEARLY || scrolled.has(box)) return;
    scrolled.add(box);
    box.addEventListener("scroll", () => look(box), { passive: true });
  }

  const sizes = new ResizeObserver((entries) => {
    for (const box of new Set(entries.map((entry) => entry.target.closest(WIDE)))) if (box) look(box);
  });

  /** Watch the boxes in a part of the page. @param {Element} part */
  function watch(part) {
    const inside = [...part.querySelectorAll(WIDE)];
    for (const box of part.matches(WIDE) ? [part, ...inside] : inside) {
      sizes.observe(box);
      if (box.firstElementChild) sizes.observe(box.firstElementChild); // it grows while the box stays
    }
  }

  const main = document.querySelector("main");
  if (!main || RLPU.edges) return;
  RLPU.edges = true;
  watch(main);
  new MutationObserver((changes) => {
    for (const change of changes) for (const node of change.addedNodes) if (node instanceof Element) watch(node);
  }).observe(main, { childList: true, subtree: true });
})();
