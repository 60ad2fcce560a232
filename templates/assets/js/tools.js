// For engineers and teachers: copy the state as a link, a command or JSON; save the page as one file (save.js).
"use strict";

(function () {
  const live = RLPU.live;

  /** Copy a text, where browsers allow it. @param {string} text @returns {Promise<boolean>} */
  RLPU.copyText = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch (error) {
      const before = /** @type {HTMLElement | null} */ (document.activeElement);
      const field = document.createElement("textarea");
      field.value = text;
      document.body.append(field);
      field.select();
      const done = document.execCommand("copy");
      field.remove();
      before?.focus({ preventScroll: true });
      return done;
    }
  };

  /** Where the site is published, or where it is now; an address that leads to this page. */
  RLPU.address = () => {
    const published = document.querySelector("link[rel=canonical]");
    return published instanceof HTMLLinkElement && /^https?:/.test(published.href) ? published.href : location.href.split("#")[0];
  };

  /** The settings that are not the default ones, in the words of the command line. */
  RLPU.settingsSaid = () => {
    const chosen = live.settings();
    const list = RLPU.hash.changed(chosen, live.data).map((/** @type {string} */ name) => name + " = " + [chosen[name]].flat().join(", ")).join("; ");
    return list ? live.words("tools.settings", { list }) : live.words("tools.default_settings");
  };

  /** Write into the head of a printed or saved page which state it shows. */
  function head() {
    const [settings, link] = ["settings", "link"].map((name) => document.getElementById("paper-" + name));
    if (settings) settings.textContent = RLPU.settingsSaid();
    if (link) link.textContent = RLPU.address() + (settings ? "#" + live.hash() : "");
  }
  if (live) addEventListener("beforeprint", head);
  if (live) document.addEventListener("beforesave", head);

  const bar = /** @type {HTMLElement | null} */ (document.querySelector(".tools"));
  if (!live || !bar) return;
  bar.hidden = false;

  /** @param {string} key @param {Record<string, any>} [values] */
  const say = (key, values) => {
    live.say(live.words("tools." + key, values || {}));
  };

  /** @param {string} text */
  async function copy(text) {
    say((await RLPU.copyText(text)) ? "copied" : "not_copied");
  }

  async function save() {
    say("saving");
    try {
      await RLPU.need("save", () => RLPU.save);
      say("saved", { name: await RLPU.save() });
    } catch (error) {
      say("not_saved");
    }
  }

  const actions = /** @type {Record<string, () => void>} */ ({
    "copy-link": () => copy(location.href.split("#")[0] + "#" + live.hash()),
    "copy-command": () => copy(document.getElementById("command")?.textContent || ""),
    "copy-json": () => copy(JSON.stringify(live.json(), null, 1)),
    "save-page": save,
  });
  bar.addEventListener("click", (event) => {
    const button = /** @type {HTMLElement} */ (event.target).closest("button");
    if (button && button.id in actions) actions[button.id]();
  });
})();
