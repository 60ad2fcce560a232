// The search on the numbers page. Numbers stay as the build wrote them: rows are shown or hidden, nothing is computed.
"use strict";

(function () {
  const list = document.getElementById("all-numbers");
  const field = /** @type {HTMLInputElement | null} */ (document.getElementById("find"));
  const nothing = document.getElementById("find-nothing");
  const status = document.getElementById("live-status");
  if (!list || !field || !nothing || !status) return;

  const OPENED_AT_MOST = 200; // hits; with more, the groups say how many they have and stay folded
  const ALL = "all";

  /** @typedef {{element: HTMLElement, text: string, unshown: boolean}} Row */
  /** @typedef {{element: HTMLElement, text: string, kind: string, rows: Row[]}} Shape what numbers of one declaration share */
  /** @typedef {{element: HTMLDetailsElement, page: string, count: HTMLElement, shapes: Shape[]}} Group */

  /** @type {Group[]} */
  let groups = [];
  let total = 0;
  /** @type {Set<Group>} */
  const opened = new Set(); // by the search, not by the reader

  /** What is compared: width of letters, capitals, kinds of minus, and spaces beside Han characters do not matter. @param {string} text */
  function plain(text) {
    return text.normalize("NFKC").toLowerCase().replace(/−/g, "-").replace(/\s*(\p{Script=Han})\s*/gu, "$1");
  }

  /** @param {ParentNode} parent @param {string} selector */
  const inside = (parent, selector) => /** @type {HTMLElement[]} */ ([...parent.querySelectorAll(selector)]);

  /** Texts of elements, each on a line of its own, so that no word is found across two. @param {Iterable<Element>} elements */
  const texts = (elements) => plain([...elements].map((element) => element.textContent).join("\n"));

  /** Read the list once, when it is first searched. */
  function read() {
    if (groups.length || !list) return;
    groups = inside(list, "details.numbers").map((element) => ({
      element: /** @type {HTMLDetailsElement} */ (element),
      page: /** @type {HTMLElement} */ (element.parentElement).dataset.page || "",
      count: inside(element, ".count")[0],
      shapes: inside(element, ".shape").map((shape) => ({
        element: shape,
        text: plain(shape.dataset.also || "") + "\n" + texts(inside(shape, ".how")),
        kind: shape.dataset.kind || "",
        rows: inside(shape, "dl > div").map((row) =>
          ({ element: row, text: texts(row.children), unshown: Boolean(row.querySelector("small")) })),
      })),
    }));
    for (const group of groups) for (const shape of group.shapes) total += shape.rows.length;
  }

  /** @param {HTMLElement} element @param {boolean} wanted */
  function show(element, wanted) {
    if (element.hidden === wanted) element.hidden = !wanted;
    return wanted;
  }

  /** Show the rows of a shape that fit; return how many. @param {Shape} shape @param {string[]} words @param {string} kind */
  function sift(shape, words, kind) {
    const missing = words.filter((word) => !shape.text.includes(word)); // what the row itself must say
    const fits = kind === ALL || kind === "unshown" || kind === shape.kind;
    let hits = 0;
    for (const { element, text, unshown } of shape.rows) {
      const hit = fits && (kind !== "unshown" || unshown) && missing.every((word) => text.includes(word));
      if (show(element, hit)) hits++;
    }
    show(shape.element, hits > 0);
    return hits;
  }

  /** Show what fits the settings, and say how much that is. @param {{find: string, page: string, kind: string}} settings */
  function search({ find, page, kind }) {
    const words = find.split(/\s+/).map(plain).filter(Boolean);
    const searching = words.length > 0 || page !== ALL || kind !== ALL;
    if (!searching && !groups.length) return;
    read();
    /** @type {Map<Group, number>} */
    const found = new Map();
    let hits = 0;
    for (const group of groups) {
      const here = page === ALL || page === group.page;
      const count = here ? group.shapes.map((shape) => sift(shape, words, kind)).reduce((sum, one) => sum + one, 0) : 0;
      show(group.element, count > 0);
      const of = group.count.dataset.count || "";
      group.count.textContent = searching && String(count) !== of ? `${count} / ${of}` : of;
      found.set(group, count);
      hits += count;
    }
    for (const part of inside(/** @type {HTMLElement} */ (list), ".numbers-of")) show(part, Boolean(part.querySelector("details:not([hidden])")));
    fold(found, searching && hits <= OPENED_AT_MOST);
    if (nothing) nothing.hidden = hits > 0;
    if (status) status.textContent = RLPU.live.words(searching ? "find.found" : "find.none_chosen", { hits, total });
    requestAnimationFrame(begin);
  }

  /** While the reader searches, the hits begin below the search, not behind it. */
  function begin() {
    if (!field?.form?.contains(document.activeElement)) return;
    if (list && list.getBoundingClientRect().top < RLPU.view.top()) list.scrollIntoView({ behavior: "instant" });
  }

  /** Open the groups with hits, if these are few; what the search opened it closes again. @param {Map<Group, number>} found @param {boolean} few */
  function fold(found, few) {
    for (const [group, hits] of found) {
      const wanted = few && hits > 0;
      if (wanted && !group.element.open) opened.add(group);
      else if (wanted || !opened.delete(group)) continue;
      group.element.open = wanted;
    }
  }

  /** The row of a number. @param {string} id */
  const rowOf = (id) => list.querySelector(`data[data-number="${CSS.escape(id)}"]`)?.closest("div");

  RLPU.live = RLPU.Live({
    paint: () => search(RLPU.live.settings()),
    label: (/** @type {string} */ id) => rowOf(id)?.querySelector("dt")?.firstChild?.textContent?.trim() || "",
    home: (/** @type {string} */ id) => homes[/** @type {HTMLElement} */ (rowOf(id)?.closest("[data-page]")).dataset.page || ""],
    stands: (/** @type {string} */ id) => Boolean(rowOf(id)?.querySelector("a")),
  });
  if (!RLPU.live) return;
  const { homes } = RLPU.live.data; // of every page: what the addresses of its numbers are made of
  field.addEventListener("focus", read, { once: true }); // so that the first letter does not wait

  // --- the search field ---

  field.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.isComposing || event.keyCode === 229 || !field.value) return; // 229: Safari, composing
    event.preventDefault();
    field.value = "";
    RLPU.live.change({ find: "" });
  });

  // While Chinese is being composed from letters, the letters are not what is looked for.
  field.addEventListener("input", (event) => {
    if (/** @type {InputEvent} */ (event).isComposing) event.stopPropagation();
  });
  field.addEventListener("compositionend", () => field.dispatchEvent(new Event("input", { bubbles: true })));

  // Enter goes on to the first hit.
  field.form?.addEventListener("submit", () => {
    const row = groups.length && inside(list, "dl > div:not([hidden])").find((element) => !element.closest(".numbers [hidden], .numbers[hidden]"));
    if (!row) return;
    row.closest("details")?.setAttribute("open", "");
    /** @type {HTMLElement | null} */ (row.querySelector("a, [tabindex]"))?.focus();
  });

  /** A group that an address names is opened. */
  function openNamed() {
    const named = document.getElementById(location.hash.slice(1));
    if (named instanceof HTMLDetailsElement) named.open = true;
  }
  addEventListener("hashchange", openNamed);
  openNamed();
})();
