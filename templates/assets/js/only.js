// `only` in the address, for slides: the figures, tables or blocks with these ids, and nothing else of the page.
"use strict";

(function () {
  const root = document.documentElement;
  const KINDS = "main :is(figure, section, form, ol)[id]"; // what may be shown alone
  /** @type {HTMLAnchorElement | null} */
  let link = null;

  /** @param {string} key @param {Record<string, any>} [values] */
  const words = (key, values) => RLPU.live.words("tools." + key, values || {});

  /** The ids that the address asks for. */
  function wanted() {
    const match = /[#&]only=([^&]*)/.exec(location.hash);
    try {
      return match ? decodeURIComponent(match[1]).split(",").map((id) => id.trim()).filter(Boolean) : [];
    } catch (error) {
      return match ? [match[1]] : [];
    }
  }

  /** What may be shown alone and can be seen. */
  function known() {
    return [...document.querySelectorAll(KINDS)].filter((element) => !element.parentElement?.closest("[hidden]"));
  }

  /** Return the elements of some ids, undefined for one that there is not. @param {string[]} ids @returns {(Element | undefined)[]} */
  function find(ids) {
    const all = known();
    const found = ids.map((id) => all.find((element) => element.id === id));
    if (!ids.includes("controls") || found[ids.indexOf("controls")]) return found;
    const part = found.find(Boolean)?.closest(".part"); // a page of parts: the controls of this one
    return found.map((element, index) => (ids[index] === "controls" ? part?.querySelector("form[data-controls]") || element : element));
  }

  /** Undo what `apply` did. */
  function reset() {
    root.classList.remove("only", "only-wait");
    document.querySelectorAll(".only-line, .only-problem").forEach((element) => element.remove());
    document.querySelectorAll(".only-way, .only-shown").forEach((element) => element.classList.remove("only-way", "only-shown"));
  }

  /** Show what the address asks for; the whole page, and why, where it asks for something that is not there. */
  function apply() {
    const ids = wanted();
    const found = find(ids);
    reset();
    if (!ids.length) return;
    const missing = ids.filter((id, index) => !found[index]);
    if (missing.length) return complain(missing);
    for (const element of found) {
      element?.classList.add("only-shown");
      for (let way = element?.parentElement; way && way !== root; way = way.parentElement) way.classList.add("only-way");
    }
    root.classList.add("only");
    document.querySelector("main")?.append(line());
    aim();
    dispatchEvent(new Event("resize")); // charts take the width that they have now
  }

  /** @param {string[]} missing */
  function complain(missing) {
    const note = document.createElement("p");
    note.className = "only-problem problems js-made";
    note.setAttribute("role", "alert");
    note.textContent = words("only_unknown", { found: missing.join(","), allowed: known().map((element) => element.id).join(", ") });
    document.querySelector("main")?.before(note);
    scrollTo(0, 0);
  }

  /** The line below: where this is from, and the way to the whole page. */
  function line() {
    const note = document.createElement("p");
    note.className = "only-line js-made";
    link = document.createElement("a");
    link.textContent = words("only_whole", { title: document.querySelector("h1")?.textContent?.trim() || document.title });
    if (top !== self) Object.assign(link, { target: "_blank", rel: "noopener" });
    note.append(link, " · " + (document.querySelector(".edition")?.textContent || ""));
    return note;
  }

  /** Let the link lead to the state that is shown, at the figure that is shown. */
  function aim() {
    if (!link) return;
    const hash = RLPU.live.hash({ show: wanted().find((id) => id !== "controls") || "controls" });
    link.href = location.href.split("#")[0] + "#" + hash.replace(/&only=[^&]*/, "");
  }

  RLPU.only = apply;
  addEventListener("hashchange", apply);
  const begin = () => {
    if (!RLPU.live) return reset(); // a page that has no figures
    apply();
    RLPU.live.onChange(aim);
  };
  if (RLPU.live || document.readyState === "complete") begin();
  else addEventListener("DOMContentLoaded", begin);
})();
