// What an address asks to be shown: a place of the page, or a number, marked where it stands or else said at the top.
"use strict";

(function () {
  /**
   * @param {{painter: any, words: (key: string, values?: Record<string, any>) => string, elsewhere: (id: string) => string}} page
   *   elsewhere: the address that shows a number which this page has not, or ""
   */
  function Reveal({ painter, words, elsewhere }) {
    /** The numbers of the page with an id. @param {string} id */
    const standing = (id) => [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(`main data[data-number="${CSS.escape(id)}"]`))];

    /** Unfold what a number stands in. @param {Element} number */
    function unfold(number) {
      for (let fold = number.closest("details"); fold; fold = fold.parentElement?.closest("details") || null) fold.open = true;
    }

    /** A number may stand in its control alone, as a setting. @param {string} id */
    function controlOf(id) {
      const key = CSS.escape(id.split(".").filter((part) => /\D/.test(part)).pop() || "");
      return document.querySelector(`form[data-controls] :is([name="${key}"], [data-list-key="${key}"])`)?.closest(".control");
    }

    /** @param {Element} element */
    function point(element) {
      unfold(element);
      element.classList.add("pointed");
      element.scrollIntoView({ block: "center", behavior: "instant" }); // a smooth one misses its goal where heights are guessed
    }

    /** Say a number of this state that stands nowhere else on the page; it follows the state as the others do. @param {string} id */
    function say(id) {
      const [before, after] = words("live.cited", { label: RLPU.cardText.label(id, painter.shapeOf(id)) }).split("{number}");
      const line = document.createElement("p");
      line.id = "cited";
      line.className = "cited js-made";
      line.append(before, painter.number(id, painter.value(id)), after);
      document.querySelector("main h1")?.after(line);
      painter.collect();
      point(/** @type {Element} */ (line.querySelector("data")));
    }

    function forget() {
      document.querySelector(".pointed")?.classList.remove("pointed");
      document.getElementById("cited")?.remove();
    }

    /**
     * Bring a number into view and mark it, or go to a place of the page. Returns what has this id; "" is: nothing yet.
     * @param {string} id @param {boolean} last nothing more will come into the page
     */
    function reveal(id, last) {
      forget();
      const all = standing(id);
      all.forEach(unfold);
      const found = all.find((number) => number.getClientRects().length) || (all.length && controlOf(id));
      const place = document.getElementById(id);
      const known = painter.shapeOf(id);
      if (found) point(found);
      else if (place) place.scrollIntoView({ behavior: "instant" });
      else if (known && painter.value(id) !== undefined) say(id);
      else if (!last) return "";
      else if (known && elsewhere(id)) location.replace(elsewhere(id));
      else return "nothing";
      return place && !found ? "place" : "number";
    }

    return { reveal, forget };
  }

  RLPU.Reveal = Reveal;
})();
