// In pages that `build.py serve` sends: reloads at a new build and keeps the reader's place; mistakes lie over the page.
"use strict";

(function () {
  const own = /** @type {HTMLScriptElement} */ (document.currentScript);
  const KEY = "serve:" + location.pathname;
  const LONGEST = 5000; // ms for which the place is held against what still moves the page

  /** @typedef {[string, string]} Phrase English, Chinese */
  /** @typedef {{place: string, key: string, what: Phrase, hint: Phrase | null}} Mistake */

  // --- the reader's place ---

  /** Return a selector of an element: its id, or the way to it from the nearest element that has one. @param {Element} element @returns {string} */
  function way(element) {
    if (element.id) return "#" + CSS.escape(element.id);
    const parent = element.parentElement;
    if (!parent) return element.localName;
    const name = element.getAttribute("name") || "";
    const nth = ":nth-child(" + ([...parent.children].indexOf(element) + 1) + ")";
    return way(parent) + " > " + element.localName + (name ? "[name=" + CSS.escape(name) + "]" : nth);
  }

  /** Return the element whose top is the last above the middle of the window, and how far it stands from the top. */
  function anchor() {
    const above = [...document.querySelectorAll("main [id]")].filter((element) => {
      const { top, height } = element.getBoundingClientRect();
      return height && top < innerHeight / 2;
    });
    const last = above.pop();
    return last && scrollY > 0 ? { way: way(last), top: last.getBoundingClientRect().top } : null;
  }

  /** Remember where the reader is and what is open; the address holds the state itself. */
  function remember() {
    const focus = document.activeElement;
    const place = {
      anchor: anchor(),
      y: scrollY,
      focus: focus && focus !== document.body && !focus.closest(".serve-problems") ? way(focus) : "",
      details: [...document.querySelectorAll("details")].map((item) => [way(item), item.open]),
      boxes: [...document.querySelectorAll(".scroll, .formula")].filter((box) => box.scrollLeft > 0)
        .map((box) => [way(box), box.scrollLeft]),
      theme: document.documentElement.dataset.theme || "",
    };
    try {
      sessionStorage.setItem(KEY, JSON.stringify(place));
    } catch (error) {
      // Storage may be forbidden; the browser itself then keeps the height, and no more.
    }
  }

  /** Take what was remembered, once. @returns {any} */
  function remembered() {
    try {
      const place = JSON.parse(sessionStorage.getItem(KEY) || "null");
      sessionStorage.removeItem(KEY);
      return place;
    } catch (error) {
      return null;
    }
  }

  /** Bring the reader back. The page may still move: until it has painted its state, or the reader does something. */
  function restore() {
    const place = remembered();
    if (!place) return;
    const root = document.documentElement;
    if (place.theme && !root.dataset.theme) root.dataset.theme = place.theme;
    for (const [selector, open] of place.details) {
      const item = document.querySelector(selector);
      if (item instanceof HTMLDetailsElement && item.open !== open) item.open = open;
    }
    for (const [selector, left] of place.boxes) document.querySelector(selector)?.scrollTo({ left, behavior: "instant" });
    const back = () => {
      const found = place.anchor && document.querySelector(place.anchor.way);
      if (found) scrollBy({ top: found.getBoundingClientRect().top - place.anchor.top, behavior: "instant" });
      else scrollTo({ top: place.y, behavior: "instant" });
      const focus = place.focus && document.querySelector(place.focus);
      if (focus instanceof HTMLElement && focus !== document.activeElement) focus.focus({ preventScroll: true });
    };
    back();
    const painted = new MutationObserver(() => requestAnimationFrame(back));
    painted.observe(root, { attributes: true, attributeFilter: ["data-state"] });
    addEventListener("load", back, { once: true });
    const end = () => painted.disconnect();
    for (const name of ["wheel", "pointerdown", "keydown", "touchstart"]) addEventListener(name, end, { once: true, passive: true });
    setTimeout(end, LONGEST);
  }

  // --- mistakes ---

  /** @param {string} name @param {string} [text] @param {string} [kind] */
  function made(name, text = "", kind = "") {
    const element = document.createElement(name);
    if (text) element.textContent = text;
    if (kind) element.className = kind;
    return element;
  }

  function hide() {
    document.querySelector(".serve-problems[role=alert]")?.remove();
  }

  /** @param {{words: Record<string, Phrase>, problems: Mistake[]}} told */
  function show({ words, problems }) {
    const chinese = document.documentElement.lang.startsWith("zh") ? 1 : 0;
    if (!document.querySelector("link[href='/-/serve.css']")) {
      document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href: "/-/serve.css" }));
    }
    const first = own.dataset.stamp === "none"; // there is no page below
    document.querySelector("main.serve-problems")?.remove();
    const box = document.querySelector(".serve-problems[role=alert]") || made("section", "", "serve-problems");
    box.setAttribute("role", "alert");
    box.setAttribute("tabindex", "0");
    box.setAttribute("aria-label", words.title[chinese]);
    const list = made("ul");
    for (const { place, key, what, hint } of problems) {
      const item = made("li");
      item.append(made("code", place), " ", ...(key ? [made("strong", key)] : []), made("span", what[chinese]));
      if (hint) item.append(made("em", hint[chinese]));
      list.append(item);
    }
    const close = made("button", words.close[chinese]);
    close.setAttribute("type", "button");
    close.addEventListener("click", hide);
    const below = first ? words.nothing : words.stays;
    box.replaceChildren(made("h2", words.title[chinese]), ...(first ? [] : [close]),
      made("p", below[chinese] + (chinese ? "" : " ") + words.waits[chinese]), list);
    if (!box.isConnected) document.body.prepend(box);
  }

  addEventListener("keydown", (event) => {
    if (event.key === "Escape" && own.dataset.stamp !== "none") hide();
  });

  // --- builds ---

  const builds = new EventSource("/-/reload?page=" + encodeURIComponent(location.pathname) + "&stamp=" + own.dataset.stamp);
  builds.onmessage = () => {
    builds.close();
    remember();
    location.reload();
  };
  builds.addEventListener("same", hide);
  builds.addEventListener("broken", (event) => show(JSON.parse(event.data)));
  addEventListener("pagehide", () => builds.close());
  addEventListener("pageshow", (event) => {
    if (event.persisted) location.reload(); // brought back as it was, deaf to builds
  });
  restore();
})();
