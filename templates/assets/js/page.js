// What a page does besides being read: theme switch, language switch and links to other pages that keep the place, folded data tables, printing.
"use strict";

(function () {
  const root = document.documentElement;
  const BAR = 64; // height of the bar that stays on top, with a little air
  const LINE = 0.35; // of the window's height: what stands there is what is read

  /** Fold the data tables: without scripts they stand open. */
  function foldTables() {
    for (const details of document.querySelectorAll("details.data")) details.removeAttribute("open");
    root.classList.add("ready");
  }

  /** Show the theme switch, and let it go between light and dark. */
  function startTheme() {
    const button = document.getElementById("theme");
    if (!button) return;
    const dark = matchMedia("(prefers-color-scheme: dark)");
    button.hidden = false;
    button.addEventListener("click", () => {
      const now = root.dataset.theme || (dark.matches ? "dark" : "light");
      root.dataset.theme = now === "dark" ? "light" : "dark";
      try {
        localStorage.setItem("theme", root.dataset.theme);
      } catch (error) {
        // Storage may be forbidden; the choice then lasts as long as the page.
      }
      document.dispatchEvent(new Event("themechange"));
    });
    dark.addEventListener("change", () => document.dispatchEvent(new Event("themechange")));
  }

  /** Return the id of the heading, figure or section whose top is nearest to the reader's. */
  function place() {
    if (scrollY < innerHeight / 2) return "";
    const top = RLPU.view ? RLPU.view.top() : BAR;
    const distance = (/** @type {Element} */ element) => Math.abs(element.getBoundingClientRect().top - top);
    const visible = [...document.querySelectorAll("main [id]:not(form[data-controls], form[data-controls] *)")]
      .filter((element) => element.getClientRects().length);
    visible.sort((a, b) => distance(a) - distance(b));
    return visible.length ? visible[0].id : "";
  }

  /** Let boxes that scroll sideways take the focus, as long as they do scroll. */
  function startScrollBoxes() {
    const boxes = document.querySelectorAll(".scroll, .formula");
    const observer = new ResizeObserver((entries) => {
      for (const { target } of entries) {
        if (target.scrollWidth > target.clientWidth) target.setAttribute("tabindex", "0");
        else target.removeAttribute("tabindex");
      }
    });
    for (const box of boxes) {
      box.removeAttribute("tabindex");
      observer.observe(box);
    }
  }

  /** Let the language switch lead to the same place in the other language. */
  function startLanguage() {
    const link = document.getElementById("language");
    if (!(link instanceof HTMLAnchorElement)) return;
    const plain = link.href.split("#")[0];
    link.addEventListener("click", () => {
      const hash = here();
      link.href = hash ? plain + "#" + hash : plain;
    });
  }

  /** The hash that leads back to the reader's state and place; "" for the top of the default state. */
  function here() {
    const anchor = place();
    const live = RLPU.live && RLPU.live.state();
    return live ? RLPU.live.hash(anchor ? { show: anchor } : {}) : anchor;
  }

  /** Let the links to other pages lead to where the reader left them, in either language. */
  function startPages() {
    const name = (/** @type {string} */ path) => "place:" + (path.split("/").pop() || "");
    try {
      for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll(".pages a, .around a"))) {
        const left = sessionStorage.getItem(name(link.pathname));
        if (left && !link.matches("[aria-current]")) link.hash = left;
      }
      addEventListener("pagehide", () => sessionStorage.setItem(name(location.pathname), here()));
    } catch (error) {
      // Storage may be forbidden; a page then begins at its top.
    }
  }

  /** Mark in the contents the section that the reader is in: the one across a line in the upper part of the window. */
  function startContents() {
    const links = /** @type {HTMLAnchorElement[]} */ ([...document.querySelectorAll(".contents a")]);
    const sections = [...document.querySelectorAll(".sections > section")];
    /** @type {Set<Element>} */
    const within = new Set();
    const observer = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) isIntersecting ? within.add(target) : within.delete(target);
      if (!within.size && sections[0].getBoundingClientRect().top < innerHeight * LINE) return; // between two: still the former
      links.forEach((link, index) => (within.has(sections[index]) ? link.setAttribute("aria-current", "true") : link.removeAttribute("aria-current")));
    }, { rootMargin: `${-100 * LINE}% 0px ${100 * LINE - 100}% 0px` });
    for (const section of sections.slice(0, links.length)) observer.observe(section);
  }

  /** Open every folded table for the time of printing; the list of all numbers is printed as the reader left it. */
  function startPrinting() {
    /** @type {HTMLDetailsElement[]} */
    let opened = [];
    addEventListener("beforeprint", () => {
      opened = [...document.querySelectorAll("details")].filter((details) => !details.open && !details.matches(".numbers"));
      for (const details of opened) details.open = true;
    });
    addEventListener("afterprint", () => {
      for (const details of opened) details.open = false;
    });
  }

  foldTables();
  startTheme();
  startLanguage();
  startPages();
  startContents();
  startScrollBoxes();
  startPrinting();
})();
