// Writes into the main page what its results say beside numbers: rows and their marks, the chain, words.
"use strict";

(function () {
  const FOLLOWING = ":is(#chain, #follow, [data-sentence=prediction]) data.number"; // what shows the selected token

  /** @param {any} live the page's model, see live.js */
  function UpdatePainter({ data, painter }) {
    /** Kinds, clip marks, the selected row. @param {any} state */
    function rows(state) {
      for (const row of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("tr[data-row]"))) {
        const index = Number(row.dataset.row);
        const position = state.positions[index];
        const selected = index === state.selected.index;
        const wanted = position.kind + (selected ? " selected" : "");
        if (row.className !== wanted) {
          row.className = wanted;
          const kind = /** @type {HTMLElement | null} */ (row.querySelector("[data-kind]"));
          if (kind) {
            kind.textContent = data.words["kind." + position.kind];
            kind.hidden = kind.dataset.kind === "unless-token" && position.kind === "token";
          }
          const pick = row.querySelector("button.pick");
          if (pick) pick.setAttribute("aria-pressed", String(selected));
        }
        const clip = /** @type {HTMLElement | null} */ (row.querySelector("[data-clip]"));
        if (clip) clip.hidden = !position.is_clipped;
      }
    }

    /** @param {any} position */
    function shortPlace(position) {
      return painter.filled(data.words["place.short_position"], { response: position.response + 1, position: position.position + 1 });
    }

    /** @param {any} position */
    function place(position) {
      const key = position.position < 0 ? "place.prompt" : "place.position";
      return painter.filled(data.words[key], { response: position.response + 1, position: position.position + 1 });
    }

    /** The chain's words and marks for the selected token. @param {any} state */
    function chosen(state) {
      const position = state.positions[state.selected.index];
      for (const element of document.querySelectorAll("[data-place]")) element.textContent = place(position);
      for (const element of document.querySelectorAll("[data-action]")) element.textContent = String(position.action);
      for (const list of document.querySelectorAll(".by-action")) {
        [...list.children].forEach((item, index) => item.classList.toggle("taken", index === position.action));
      }
      const clip = position.advantage === 0 ? "neutral" : position.is_clipped ? "is_clipped" : "not_clipped";
      for (const element of document.querySelectorAll("[data-clip-word]")) element.textContent = data.words["chain." + clip];
      const cut = position.is_clipped || position.advantage === 0;
      for (const element of document.querySelectorAll("[data-unless-cut]")) element.toggleAttribute("hidden", cut);
      for (const element of document.querySelectorAll("[data-indicator]")) {
        element.textContent = Number(/** @type {HTMLElement} */ (element).dataset.indicator) === position.action ? "1" : "0";
      }
    }

    /** The table of updates done: a row for each. @param {any} state */
    function history(state) {
      const body = document.getElementById("history-rows");
      if (!body || body.children.length === state.history.length) return;
      while (body.children.length > state.history.length) body.lastElementChild?.remove();
      while (body.children.length < state.history.length) body.append(updated(body.children.length, state));
      for (const element of document.querySelectorAll("[data-history]")) {
        element.toggleAttribute("hidden", (/** @type {HTMLElement} */ (element).dataset.history === "empty") === state.history.length > 0);
      }
      painter.collect();
    }

    /** The clip chart's table: the points on the curves, then the positions that lie on none. @param {any} state */
    function points(state) {
      const body = document.getElementById("plateau-rows");
      const { points: drawn, neutral, beyond } = state.plateaus;
      const indices = [...drawn.map((/** @type {any} */ point) => point.index), ...neutral, ...beyond];
      const key = [drawn.length, ...indices].join(" "); // which positions, and how many of them on a curve
      if (!body || body.dataset.rows === key) return;
      body.dataset.rows = key;
      body.replaceChildren(...indices.map((index, n) => {
        const row = document.createElement("tr");
        const head = document.createElement("th");
        head.scope = "row";
        head.textContent = shortPlace(state.positions[index]);
        row.append(head);
        const on = n < drawn.length; // on a curve, so that it has a height
        add(row, `positions.${index}.advantage`, "q-adv", state);
        add(row, on ? `plateaus.points.${n}.ratio` : `positions.${index}.ratio`, "q-ratio", state);
        if (on) add(row, `plateaus.points.${n}.height`, "", state);
        else row.insertCell().textContent = "—";
        return row;
      }));
      painter.collect();
    }

    /** Add a cell with a number. @param {HTMLTableRowElement} row @param {string} id @param {string} quantity @param {any} results */
    function add(row, id, quantity, results) {
      const cell = row.insertCell();
      cell.className = quantity;
      cell.append(painter.number(id, painter.at(results, id.split("."))));
    }

    /** The row of one update. @param {number} n from 0 @param {any} state */
    function updated(n, state) {
      const row = document.createElement("tr");
      const head = document.createElement("th");
      head.scope = "row";
      head.textContent = String(n + 1);
      row.append(head);
      const id = `history.${n}.`;
      add(row, id + "loss", "", state);
      add(row, id + "kl", "q-kl", state);
      add(row, id + "clipped", "q-clip", state);
      state.W.forEach((/** @type {number[]} */ weights, /** @type {number} */ j) => {
        weights.forEach((_, v) => add(row, `${id}W.${j}.${v}`, "q-par", state));
      });
      return row;
    }

    /** What is said of the selected token says it of another: its numbers get other ids. @param {any} state */
    function follow(state) {
      const { index } = state.selected;
      const { response } = state.positions[index];
      const others = /** @type {Record<string, string>} */ ({ positions: String(index), rewards: String(response), advantages: String(response) });
      for (const element of /** @type {NodeListOf<HTMLDataElement>} */ (document.querySelectorAll(FOLLOWING))) {
        const path = (element.dataset.number || "").split(".");
        if (!(path[0] in others) || path[1] === others[path[0]]) continue;
        path[1] = others[path[0]];
        painter.retarget(element, path.join("."));
      }
    }

    /** Settings as words. @param {any} state */
    function settings(state) {
      for (const element of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-setting]"))) {
        const value = state.settings[element.dataset.setting || ""];
        element.textContent = data.words["setting.normalization_" + value] || [value].flat().join(", ");
      }
      const skipped = document.getElementById("skipped");
      if (skipped) skipped.hidden = !state.skipped;
    }

    return {
      place,

      /** Make the rows, and choose the ids, that the numbers of a state are written under. @param {any} state */
      prepare(state) {
        history(state);
        points(state);
        follow(state);
      },

      /** Paint what goes with the numbers. @param {any} state */
      paint(state) {
        rows(state);
        chosen(state);
        settings(state);
      },
    };
  }

  RLPU.UpdatePainter = UpdatePainter;
})();
