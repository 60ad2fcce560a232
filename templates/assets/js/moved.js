// A page that has another name now: goes there, with the state and place of the old address.
"use strict";

(function () {
  const link = document.getElementById("moved");
  if (link instanceof HTMLAnchorElement) location.replace(link.href + location.hash);
})();
