// What can be done with one figure: copy what embeds it or leads to it, download a chart as a picture.
"use strict";

(function () {
  const live = RLPU.live;
  const MORE_HEIGHT = 70; // px below a figure that stands alone: the line to the whole page

  /** @param {HTMLElement} figure @param {string} title */
  function embedding(figure, title) {
    const attribute = (/** @type {string} */ text) => text.replace(/&/g, "&amp;").replace(/"/g, "&quot;").replace(/</g, "&lt;");
    const hash = live.hash({ only: figure.id }).replace(/&?show=[^&]*/, "");
    const height = Math.ceil((figure.offsetHeight + MORE_HEIGHT) / 20) * 20;
    return `<iframe src="${attribute(RLPU.address() + "#" + hash)}" title="${attribute(title)}" width="100%" height="${height}" style="border: 0"></iframe>`;
  }

  /**
   * Open or close the menu of a figure.
   * @param {HTMLElement} figure @param {HTMLElement} caption @param {HTMLElement} button
   */
  function toggle(figure, caption, button) {
    const open = figure.querySelector(".figure-actions");
    button.setAttribute("aria-expanded", String(!open));
    if (open) return open.remove();
    const title = (caption.querySelector("strong") || caption).textContent?.trim() || "";
    const group = document.createElement("div");
    group.className = "figure-actions js-made";
    group.setAttribute("role", "group");
    group.setAttribute("aria-label", button.getAttribute("aria-label") || "");
    const status = document.createElement("span");
    status.setAttribute("role", "status");
    const say = (/** @type {string} */ key, /** @type {any} */ values = {}) => { status.textContent = live.words("tools." + key, values); };

    /** @param {string} text @param {() => void} action */
    const add = (text, action) => {
      const item = document.createElement("button");
      item.type = "button";
      item.textContent = text;
      item.addEventListener("click", action);
      group.append(item);
    };
    const copy = async (/** @type {string} */ text) => say((await RLPU.copyText(text)) ? "copied" : "not_copied");
    add(live.words("tools.embed_figure"), () => copy(embedding(figure, title)));
    add(live.words("tools.link_figure"), () => copy(RLPU.address() + "#" + live.hash({ show: figure.id })));
    for (const kind of figure.querySelector(".plot") ? ["SVG", "PNG"] : []) {
      add(live.words("tools.picture", { kind }), async () => {
        say("saving");
        try {
          await RLPU.need("picture", () => RLPU.picture);
          say("saved", { name: await RLPU.picture(figure, caption, kind.toLowerCase(), RLPU.address()) });
        } catch (error) {
          say("not_saved");
        }
      });
    }
    group.append(status);
    group.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      toggle(figure, caption, button);
      button.focus();
    });
    caption.after(group);
  }

  RLPU.figureMenu = toggle;
})();
