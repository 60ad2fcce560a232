// The start page: goes on to the reader's language, unless the reader came back to choose (index.html?choose).
"use strict";

(function () {
  if (location.search === "?choose") return;
  const chinese = (navigator.languages || [navigator.language]).find((tag) => /^(zh|en)\b/i.test(tag || ""));
  if (chinese) location.replace((/^zh/i.test(chinese) ? "zh" : "en") + "/update.html" + location.hash);
})();
