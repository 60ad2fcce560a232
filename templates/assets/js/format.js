// How a number is written: the same rules as publish/words/formatting.py. No arithmetic happens here, only rounding.
"use strict";

(function () {
  const WORDS = /** @type {Record<string, string>} */ ({ inf: "∞", "-inf": "−∞", nan: "undefined" });
  const ABSENT = "—";
  const MOST_DIGITS = 8;
  const LARGEST_FIXED = 1e6;
  const ROUNDING = 1e-8; // of an error that is smaller only its size is certain
  const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";

  /** @param {number} value */
  function scientific(value) {
    const [mantissa, exponent] = value.toExponential(2).split("e");
    return mantissa.replace("-", "−") + " × 10" + raised(Number(exponent));
  }

  /** @param {number} exponent */
  function raised(exponent) {
    return [...String(exponent)].map((c) => (c === "-" ? "⁻" : SUPERSCRIPTS[Number(c)])).join("");
  }

  /** The power of ten below which a tiny error lies. @param {number} value */
  function bound(value) {
    const exponent = Number(Math.abs(value).toExponential(20).split("e")[1]);
    return "< 10" + raised(exponent + 1);
  }

  /** @param {number} value @param {number} decimals */
  function fixed(value, decimals) {
    return value.toFixed(decimals).replace("-", "−");
  }

  /** How many digits stand before the decimal point. @param {number} value */
  function whole(value) {
    return Math.abs(value) >= 1 ? String(Math.trunc(Math.abs(value))).length : 0;
  }

  /** @param {number} value */
  function setting(value) {
    if (Number.isInteger(value) && Math.abs(value) < LARGEST_FIXED) return String(value).replace("-", "−");
    if (Math.abs(value) < 1e-4 || Math.abs(value) >= LARGEST_FIXED) return scientific(value);
    return value.toFixed(MOST_DIGITS).replace(/\.?0+$/, "").replace("-", "−");
  }

  RLPU.format = {
    words: WORDS, // a page's painter puts its language's own in

    /**
     * Return the text of a result.
     * @param {any} value a number, null, or "inf", "-inf", "nan"
     * @param {number | string | null} decimals null for a number that somebody chose; 0 for a count; "2f" for two
     *   decimals even where they are all 0; "6e" for an error
     */
    text(value, decimals) {
      if (value === null || value === undefined) return ABSENT;
      if (typeof value === "string") return WORDS[value] || value;
      if (decimals === null) return setting(value);
      if (typeof decimals === "string") {
        const places = parseInt(decimals, 10);
        if (decimals.endsWith("e") && value === 0) return "0";
        if (decimals.endsWith("e")) return Math.abs(value) < ROUNDING ? bound(value) : RLPU.format.text(value, places);
        return Number(value.toFixed(places)) === 0 ? fixed(0, places) : RLPU.format.text(value, places);
      }
      if (decimals === 0 && Number.isInteger(value) && Math.abs(value) < LARGEST_FIXED) return String(value).replace("-", "−");
      if (value === 0) return fixed(0, decimals);
      if (Math.abs(value) >= LARGEST_FIXED || Number(value.toFixed(decimals)) === 0) return scientific(value);
      const places = Math.min(decimals, MOST_DIGITS - whole(value));
      const over = whole(Number(value.toFixed(places))) + places > MOST_DIGITS; // 99.9999999 becomes 100.00000
      return fixed(value, over ? places - 1 : places);
    },

    /** @param {any} value */
    machine(value) {
      return value === null || value === undefined ? "" : String(value);
    },
  };
})();
