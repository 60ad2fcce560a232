// Cards: every shown number can be pointed at, focused or tapped; one card says what it is and lets it be copied.
// The numbers themselves stay as the build wrote them: one number of each group is a tab stop, listeners sit on the document.
"use strict";

(function () {
  if (!RLPU.live) return;
  const { data, words } = RLPU.live;
  const { known, label, filled, origin } = RLPU.cardText;
  const main = /** @type {HTMLElement | null} */ (document.getElementById("main"));
  if (!main) return;

  const NUMBER = "data.number[data-number]";
  const GROUPS = ["table", ".follow > ol > li", "figure.chain", "dl", "p, li, figcaption", "section"]; // outer kinds first
  const ACTIVE = "a, button, input, select, textarea, summary, label";
  const KEEPS = "form[data-controls], .plot, " + ACTIVE; // a click here leaves an open card open: it follows what changes
  const OPEN_MS = 350;
  const CLOSE_MS = 350;
  const GAP = 6;
  const LEAST_HEIGHT = 200;
  const sheet = matchMedia("(max-width: 40rem)");

  // --- the card ---

  const card = document.createElement("div");
  card.className = "card js-made";
  card.id = "card";
  card.hidden = true;
  card.tabIndex = -1;
  card.setAttribute("role", "dialog");
  card.setAttribute("aria-labelledby", "card-title");
  card.setAttribute("aria-describedby", "card-value");
  card.innerHTML = `<button type="button" class="card-close"><span aria-hidden="true">×</span></button>
    <p class="card-title" id="card-title"></p>
    <p class="card-value" id="card-value"></p>
    <p class="card-origin"></p>
    <dl><div><dt></dt><dd class="card-formula"></dd></div><div class="card-with"><dt></dt><dd class="card-filled"></dd></div>
    <div><dt></dt><dd><code class="card-id"></code></dd></div></dl>
    <div class="card-cite" id="card-cite" role="group" hidden></div>
    <div class="card-foot"><p class="card-buttons"><button type="button" data-copy="value"></button><button type="button" data-copy="link"></button><button
      type="button" data-copy="id"></button><button type="button" class="card-cites" aria-expanded="false" aria-controls="card-cite"></button><a
      class="card-link"></a></p>
    <p class="card-field" hidden><input type="text" readonly></p>
    <p class="card-status" role="status"></p></div>`;
  const hint = document.createElement("p");
  hint.id = "card-hint";
  hint.className = "js-made";
  hint.hidden = true;
  hint.textContent = words("card.hint");
  document.body.append(card, hint);

  /** @param {string} selector */
  const part = (selector) => /** @type {HTMLElement} */ (card.querySelector(selector));
  const field = /** @type {HTMLInputElement} */ (part("input"));
  const link = /** @type {HTMLAnchorElement} */ (part(".card-link"));
  part(".card-close").setAttribute("aria-label", words("card.close"));
  field.setAttribute("aria-label", words("card.field"));
  ["card.formula", "card.filled", "card.id"].forEach((key, index) => { card.querySelectorAll("dt")[index].textContent = words(key); });
  for (const kind of ["value", "link", "id"]) part(`[data-copy=${kind}]`).textContent = words("card.copy_" + kind);
  link.textContent = words("card.link");
  part(".card-cites").textContent = words("card.cite");

  /** @type {HTMLDataElement | null} the number whose card is open */
  let anchor = null;
  let pinned = false; // opened on purpose: stays until it is closed on purpose
  let opening = 0;
  let closing = 0;
  let anchorId = "";
  const watching = new MutationObserver(() => refresh());

  /** @param {Element} element @param {string} text */
  function put(element, text) {
    if (element.textContent !== text) element.textContent = text;
  }

  /** Keep a closing bracket on the line of what it closes. @param {string} text */
  function tied(text) {
    return text.replace(/ (?=[\])])/g, "\u00a0").replace(/([([]) /g, "$1\u00a0");
  }

  /** Write what the card says of its number, as things are now. */
  function refresh() {
    if (!anchor || !rebind()) return;
    const id = anchorId = anchor.dataset.number || "";
    const { id: own, shape, from } = known(id);
    const lines = from ? [] : filled(id, shape).map(tied);
    const name = label(own, shape);
    const colored = /** @type {HTMLElement | null} */ (anchor.closest("[class*=q-]"));
    const color = colored ? [...colored.classList].find((name) => name.startsWith("q-")) || "" : "";
    part(".card-value").className = "card-value " + color;
    put(part(".card-title"), "pin.label_" + from in data.words ? words("pin.label_" + from, { name }) : name);
    put(part(".card-value"), anchor.value || words("card.absent"));
    put(part(".card-origin"), anchor.value ? origin(own, shape, from) : "");
    put(part(".card-formula"), shape ? tied(data.numbers[shape][2]) : "");
    put(part(".card-id"), id);
    part(".card-with").hidden = !lines.length;
    const old = part(".card-filled");
    if ([...old.children].map((line) => line.textContent).join("\n") !== lines.join("\n")) {
      old.replaceChildren(...lines.map((/** @type {string} */ text) => {
        const line = document.createElement("span");
        line.textContent = text;
        return line;
      }));
    }
    part("[data-copy=value]").hidden = !anchor.value;
    link.href = RLPU.live.link(id);
    link.hidden = part("[data-copy=link]").hidden = Boolean(from); // no address leads to a pinned run or a check
    part(".card-cites").hidden = Boolean(from) || !shape; // nor is there anything to cite
    if (!part(".card-cite").hidden) RLPU.cite.show(anchor);
    locate();
  }

  /** Find the number again when its sentence or row was written anew; close the card when it went away. */
  function rebind() {
    if (anchor && anchor.isConnected) return true;
    const again = /** @type {HTMLDataElement | null} */ (main?.querySelector(`${NUMBER}[data-number="${CSS.escape(anchorId)}"]`));
    if (!again) {
      close();
      return false;
    }
    follow(again);
    return true;
  }

  /** @param {HTMLDataElement} number */
  function follow(number) {
    anchor?.classList.remove("carded");
    anchor = number;
    anchor.classList.add("carded");
    watching.disconnect();
    watching.observe(anchor, { attributes: true, attributeFilter: ["value", "data-number"] });
  }

  /** Put the card below its number, or above where there is more room. On a phone it is a sheet (cards.css). */
  function locate() {
    if (!anchor || card.hidden) return;
    card.style.maxHeight = "";
    if (sheet.matches) {
      card.style.left = card.style.top = "";
      return;
    }
    const box = anchor.getBoundingClientRect();
    const bar = document.querySelector(".bar")?.getBoundingClientRect().bottom || 0;
    const { offsetWidth: width, offsetHeight: wanted } = card;
    const [above, below] = [box.top - bar - 2 * GAP, innerHeight - box.bottom - 2 * GAP];
    const under = wanted <= below || below >= above;
    const height = Math.min(wanted, Math.max(LEAST_HEIGHT, under ? below : above));
    card.style.maxHeight = height + "px";
    card.style.left = Math.max(GAP, Math.min(box.left, document.documentElement.clientWidth - width - GAP)) + scrollX + "px";
    card.style.top = (under ? box.bottom + GAP : box.top - GAP - height) + scrollY + "px";
  }

  /** @param {HTMLDataElement} number @param {boolean} stay */
  function open(number, stay) {
    clearTimeout(opening);
    clearTimeout(closing);
    pinned = stay;
    follow(number);
    part(".card-status").textContent = "";
    part(".card-field").hidden = true;
    fold(true);
    card.hidden = false;
    refresh();
    if (!stay) return;
    makeStop(number);
    card.focus({ preventScroll: true });
    const hidden = number.getBoundingClientRect().bottom - card.getBoundingClientRect().top + GAP;
    if (sheet.matches && hidden > 0) scrollBy({ top: hidden, behavior: "instant" });
  }

  function close() {
    clearTimeout(opening);
    clearTimeout(closing);
    watching.disconnect();
    const number = anchor;
    const back = card.contains(document.activeElement) || document.activeElement === document.body;
    anchor?.classList.remove("carded");
    anchor = null;
    card.hidden = true;
    if (back && pinned) (number && shown(number) ? makeStop(number) : main)?.focus({ preventScroll: true });
    pinned = false;
  }

  // --- citing and copying ---

  /** Fold the part on citing, or open it. @param {boolean} away */
  function fold(away) {
    part(".card-cite").hidden = away;
    part(".card-cites").setAttribute("aria-expanded", String(!away));
    part(".card-cites").textContent = words(away ? "card.cite" : "card.uncite");
    card.classList.toggle("citing", !away); // the rest makes room
  }

  async function cite() {
    const away = !part(".card-cite").hidden;
    const there = away || await RLPU.cardCopy.cite().then(() => true, () => false);
    if (!there) return say(words("card.cite_failed"));
    if (!anchor) return;
    if (!away) RLPU.cite.build(part(".card-cite"), part(".card-buttons"));
    fold(away);
    refresh();
  }

  /** Say it anew, even if the same was said before. @param {string} text */
  function say(text) {
    const status = part(".card-status");
    status.textContent = "";
    setTimeout(() => { status.textContent = text; }, 60);
  }

  /** @param {string} kind */
  async function copy(kind) {
    if (!anchor) return;
    const id = anchor.dataset.number || "";
    const written = kind === "cite" ? /** @type {HTMLTextAreaElement} */ (part(".card-cite textarea")) : null;
    const text = written ? written.value : kind === "value" ? anchor.value : kind === "id" ? id : link.href;
    const done = await RLPU.cardCopy.copy(text, part(written ? ".card-cite" : ".card-field"), written || field);
    if (done) part(".card-field").hidden = true;
    say(done && written ? RLPU.cite.copied() : words(done ? "card.copied" : "card.by_hand", { text }));
    locate();
  }

  card.addEventListener("click", (event) => {
    const button = /** @type {HTMLElement} */ (event.target).closest("button");
    if (button?.dataset.copy) copy(button.dataset.copy);
    else if (button?.matches(".card-cites")) cite();
    else if (button) close();
  });

  // --- one tab stop per group ---

  /** @type {Map<Element, HTMLDataElement>} */
  const stops = new Map();

  /** @param {Element} element @returns {Element} */
  function groupOf(element) {
    for (const kind of GROUPS) {
      const group = element.closest(kind);
      if (group && main?.contains(group)) return group;
    }
    return /** @type {HTMLElement} */ (main);
  }

  /** Whether a number may be reached. @param {Element} number */
  function shown(number) {
    return number.isConnected && !number.closest("[hidden], " + ACTIVE);
  }

  /** @param {Element} group @returns {HTMLDataElement[]} */
  function membersOf(group) {
    const all = /** @type {NodeListOf<HTMLDataElement>} */ (group.querySelectorAll(NUMBER));
    return [...all].filter((number) => shown(number) && groupOf(number) === group);
  }

  /** Make a number the one of its group that Tab reaches. @param {HTMLDataElement} number */
  function makeStop(number) {
    const group = groupOf(number);
    const before = stops.get(group);
    if (before !== number) {
      for (const name of ["tabindex", "role", "aria-haspopup", "aria-describedby"]) before?.removeAttribute(name);
      stops.set(group, number);
    }
    number.tabIndex = 0;
    number.setAttribute("role", "button");
    number.setAttribute("aria-haspopup", "dialog");
    number.setAttribute("aria-describedby", "card-hint");
    return number;
  }

  /**
   * See to it that a group has a stop, if it has a number that may be reached. A sentence that is written anew
   * gives its stop, and the focus, to the number of the same id.
   * @param {Element} group
   */
  function elect(group) {
    const stop = stops.get(group);
    if (stop && shown(stop) && groupOf(stop) === group) return;
    const members = membersOf(group);
    const next = members.find((member) => member.dataset.number === stop?.dataset.number) || members[0];
    if (!next) return;
    makeStop(next);
    if (stop && stop === focused && document.activeElement === document.body) next.focus({ preventScroll: true });
  }
  /** @type {EventTarget | null} what had the focus last */
  let focused = null;
  document.addEventListener("focusin", (event) => { focused = event.target; });

  for (const number of main.querySelectorAll(NUMBER)) {
    const group = groupOf(number);
    if (!stops.has(group) && shown(number)) makeStop(/** @type {HTMLDataElement} */ (number));
  }

  new MutationObserver((records) => {
    const groups = new Set(/** @type {Element[]} */ ([]));
    for (const { target, type } of records) {
      const element = /** @type {Element} */ (target);
      if (type === "attributes" && !element.querySelector(NUMBER)) continue;
      groups.add(groupOf(element));
      for (const number of element.querySelectorAll(NUMBER)) groups.add(groupOf(number));
    }
    for (const group of stops.keys()) if (!group.isConnected) stops.delete(group);
    for (const group of groups) elect(group);
    if (anchor && !anchor.isConnected) refresh();
  }).observe(main, { childList: true, subtree: true, attributes: true, attributeFilter: ["hidden"] });

  /** The next number of a column. @param {HTMLDataElement} number @param {number} by */
  function inColumn(number, by) {
    const cell = /** @type {HTMLTableCellElement | null} */ (number.closest("td, th"));
    const table = /** @type {HTMLTableElement | null} */ (number.closest("table"));
    const row = /** @type {HTMLTableRowElement | null} */ (number.closest("tr"));
    if (!cell || !table || !row) return undefined;
    const rows = [...table.rows];
    const others = by > 0 ? rows.slice(rows.indexOf(row) + 1) : rows.slice(0, rows.indexOf(row)).reverse();
    const found = others.map((other) => other.cells[cell.cellIndex]?.querySelector(NUMBER)).find((item) => item && shown(item));
    return /** @type {HTMLDataElement | undefined} */ (found || undefined);
  }

  /** Return where a key leads from a number. @param {string} key @param {HTMLDataElement} number */
  function destination(key, number) {
    const all = membersOf(groupOf(number)).filter((item) => item.getClientRects().length);
    const place = all.indexOf(number);
    const inTable = groupOf(number).matches("table");
    if (key === "Home") return all[0];
    if (key === "End") return all[all.length - 1];
    if (key === "ArrowDown") return inTable ? inColumn(number, 1) : all[place + 1];
    if (key === "ArrowUp") return inTable ? inColumn(number, -1) : all[place - 1];
    return all[key === "ArrowRight" ? place + 1 : place - 1];
  }

  // --- events ---

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.key === "Escape" && anchor) return close();
    if (event.key === "Tab" && card.contains(target)) return leave(event);
    if (!(target instanceof HTMLDataElement) || !target.matches(NUMBER)) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      open(target, true);
    } else if (/^(Arrow(Up|Down|Left|Right)|Home|End)$/.test(event.key) && !event.shiftKey) {
      event.preventDefault();
      const next = destination(event.key, target);
      if (next) makeStop(next).focus();
    }
  });

  /** Tab beyond the ends of the card: back to its number, and on from there. @param {KeyboardEvent} event */
  function leave(event) {
    const inside = [...card.querySelectorAll("button, a[href], input, select, textarea")].filter((item) => item.getClientRects().length);
    const edge = event.shiftKey ? [inside[0], card] : [inside[inside.length - 1]];
    if (!edge.includes(/** @type {Element} */ (document.activeElement))) return;
    pinned = true; // so that the number takes the focus
    if (event.shiftKey) event.preventDefault();
    close();
  }

  /** The number that is pointed at; in a table the whole cell of a lone number counts. @param {EventTarget | null} target */
  function pointedAt(target) {
    if (!(target instanceof Element) || !main?.contains(target) || target.closest(ACTIVE)) return null;
    const number = target.closest(NUMBER);
    const inCell = target.closest("td")?.querySelectorAll(NUMBER) || [];
    return /** @type {HTMLDataElement | null} */ (number || (inCell.length === 1 ? inCell[0] : null));
  }

  document.addEventListener("click", (event) => {
    const target = /** @type {Element} */ (event.target);
    if (card.contains(target)) return;
    const number = pointedAt(target);
    if (number && getSelection()?.isCollapsed !== false) {
      if (number === anchor && pinned) close();
      else open(number, true);
    } else if (anchor && !target.closest(KEEPS)) {
      close();
    }
  });

  document.addEventListener("pointerover", (event) => {
    if (event.pointerType === "touch" || sheet.matches) return;
    const target = /** @type {Element} */ (event.target);
    const number = card.contains(target) ? null : /** @type {HTMLDataElement | null} */ (target.closest(NUMBER));
    clearTimeout(opening);
    if (number && number !== anchor && main.contains(number) && !pinned) {
      opening = setTimeout(() => open(number, false), OPEN_MS);
    }
    if (!anchor || pinned) return;
    clearTimeout(closing);
    const staying = card.contains(target) || number === anchor || card.contains(document.activeElement);
    if (!staying) closing = setTimeout(close, CLOSE_MS);
  });
  document.documentElement.addEventListener("pointerleave", () => clearTimeout(opening));
  card.addEventListener("focusin", () => { pinned = true; });

  document.addEventListener("scroll", (event) => {
    if (event.target !== document && anchor && !card.contains(/** @type {Node} */ (event.target))) locate();
  }, { capture: true, passive: true });
  addEventListener("resize", locate);
  new ResizeObserver(locate).observe(main);
  RLPU.live.onChange(refresh);
})();
