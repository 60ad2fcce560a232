// The page for lost readers: leads on where it is clear which page is meant, else shows the pages in the reader's language.
"use strict";

(function () {
  const base = document.documentElement.dataset.base || "/";
  /** @type {{pages: string[], former: Record<string, string>}} */
  const { pages, former } = JSON.parse(document.getElementById("known-pages")?.textContent || "{}");
  const parts = decoded(location.pathname.slice(base.length)).toLowerCase().split("/").filter(Boolean);
  const language = parts.find((part) => part === "zh" || part === "en");
  const name = (parts[parts.length - 1] || "").replace(/\.html?$/, "");

  /** @param {string} text an address may hold what is no text */
  function decoded(text) {
    try {
      return decodeURIComponent(text);
    } catch (error) {
      return text;
    }
  }

  /** Return the page that is meant, if that is clear. */
  function meant() {
    return new Map(Object.entries(former)).get(name) || pages.find((page) => page.toLowerCase() === name);
  }

  /** Return the reader's language as the browser tells it. */
  function spoken() {
    const tag = (navigator.languages || [navigator.language]).find((item) => /^(zh|en)\b/i.test(item || ""));
    return /^zh/i.test(tag || "") ? "zh" : "en";
  }

  /** Show one language only. @param {string} shown */
  function show(shown) {
    for (const section of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("section[data-language]"))) {
      section.hidden = section.dataset.language !== shown;
    }
    const section = document.querySelector(`section[data-language=${shown}]`);
    if (section instanceof HTMLElement) document.documentElement.lang = section.lang;
    const title = section?.querySelector("h1, h2")?.textContent;
    if (title) document.title = title;
  }

  const page = meant();
  const target = page && base + (language || spoken()) + "/" + page + ".html";
  if (target && target !== location.pathname) location.replace(target + location.search + location.hash);
  else if (language) show(language);
})();
