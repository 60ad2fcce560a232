// The chapter's own part of being live: what a change led to is said where the control that made it stands.
"use strict";

(function () {
  const said = document.getElementById("live-said");
  RLPU.live = RLPU.Live({ status: () => "" }); // a mistake that was named is one no longer
  if (!RLPU.live) return;

  /** Say the computed sentences of the section in which the reader moves a control. */
  function say() {
    const section = document.activeElement?.closest(".part")?.closest(".sections > section");
    const sentences = section ? [...section.querySelectorAll("[data-sentence]")] : [];
    if (said) said.textContent = sentences.map((sentence) => sentence.textContent).join(" ");
  }

  RLPU.live.onChange(say);
})();
