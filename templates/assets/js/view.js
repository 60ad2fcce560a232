// What the reader has in view: below the parts that stay on top, and kept in place while something above comes or goes.
"use strict";

(function () {
  const root = document.documentElement;
  const BAR = 64; // height of the bar that stays on top, with a little air
  const ENOUGH = 4; // things in view: one of them will still be there after a change
  const EVERY = 24; // pixels between the points at which the page is asked what stands there

  /** The form that stays on top of what it changes. */
  const form = () => /** @type {HTMLElement | null} */ (document.querySelector("form:is(.controls, .find)"));

  /** Where the part of the window begins that nothing covers. */
  function top() {
    const box = form()?.getBoundingClientRect();
    return box && box.height && box.top <= BAR ? Math.max(BAR, box.bottom) : BAR;
  }

  /** Tell the style how high that form is, if it stays, and whether more of it is found by scrolling inside. */
  function measure() {
    const box = form();
    const stays = box && getComputedStyle(box).position === "sticky";
    root.style.setProperty("--controls-height", (stays ? box.offsetHeight : 0) + "px");
    const rows = box?.querySelector("details[open] > .grid");
    box?.classList.toggle("more", Boolean(rows && rows.scrollTop + rows.clientHeight < rows.scrollHeight - 4));
  }

  /** Begin with the form folded where it would take too much of the window, and measure it from now on. */
  function start() {
    const box = form();
    if (!box) return;
    const panel = box.querySelector("details");
    const rows = box.querySelector(".grid");
    if (panel && rows) panel.open = innerWidth > 640 && rows.scrollHeight <= rows.clientHeight + 1;
    new ResizeObserver(measure).observe(box);
    addEventListener("resize", measure);
    rows?.addEventListener("scroll", measure, { passive: true });
    measure();
  }

  /** What stands in view, from the top; first what also begins there. */
  function seen() {
    const main = document.querySelector("main .sections")?.getBoundingClientRect();
    const from = top();
    /** @type {Set<Element>} */
    const begun = new Set();
    /** @type {Set<Element>} */
    const reaching = new Set(); // into view, from above
    for (let y = from + 4; main && y < innerHeight && begun.size < ENOUGH; y += EVERY) {
      const element = document.elementFromPoint(main.left + main.width / 3, y);
      if (!element?.matches(".sections > section *") || element.closest("form[data-controls]")) continue;
      (element.getBoundingClientRect().top >= from ? begun : reaching).add(element);
    }
    return [...begun, ...reaching];
  }

  /**
   * Change the page, and leave what is in view where it is. A browser may do so itself; then nothing is left to do.
   * @param {() => void} change
   */
  function keep(change) {
    if (!scrollY) return change();
    const before = seen().map((element) => ({ element, top: element.getBoundingClientRect().top }));
    change();
    const kept = before.find(({ element }) => element.getClientRects().length);
    const next = !kept && before[0]?.element.closest("[hidden]")?.nextElementSibling; // all in view is gone: what followed it
    const moved = kept ? kept.element.getBoundingClientRect().top - kept.top
      : next && next.getClientRects().length ? next.getBoundingClientRect().top - top() : 0;
    if (Math.abs(moved) >= 1) scrollBy({ top: moved, behavior: "instant" });
  }

  RLPU.view = { start, top, keep };
})();
