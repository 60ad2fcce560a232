// A wrong implementation path: what it is, and the correct one beside it after the same number of updates.
"use strict";

(function () {
  const { live } = RLPU;
  const block = document.getElementById("path-beside");
  const button = document.getElementById("path-first");
  if (!block || !button || !live) return;
  const { data, painter, words } = live;
  let first = 0; // the update at which the paths first differ

  /** Say which wrong path it is. @param {string} path */
  function name(path) {
    block?.toggleAttribute("hidden", path === data.keys.find((/** @type {any} */ key) => key.name === "path").words[0]);
    for (const part of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-path]"))) {
      part.hidden = part.dataset.path !== path;
    }
  }

  /** Show both paths, and their differences. @param {any} state */
  async function show(state) {
    const { path } = state.settings;
    name(path);
    if (block?.hidden) return;
    const core = await live.core();
    if (state !== live.state()) return; // a newer state is on its way
    const found = RLPU.engine.call(core, "beside", state.settings);
    RLPU.view.keep(() => paint(found));
  }

  /** @param {any} found what the core says of both paths */
  function paint(found) {
    painter.results(found);
    const { differs, first: later } = found.beside;
    const gone = differs || later === null || live.locked("step");
    if (gone && button === document.activeElement) document.getElementById("path-title")?.focus();
    button?.toggleAttribute("hidden", gone);
    if (later !== null) {
      first = later;
      if (button) button.textContent = words("path.go", { first });
    }
  }

  button.addEventListener("click", () => live.change({ step: first }));
  live.onChange(show);
})();
