// What a card says of a number: its label, where its value comes from, its formula with the results put in.
"use strict";

(function () {
  if (!RLPU.live) return;
  const { data, painter, words } = RLPU.live;
  const { Absent, Writer } = RLPU.formulas;

  /** The parts of an id that stand for the stars of its shape. @param {string} id @param {string} shape */
  function captured(id, shape) {
    const stars = shape.split(".");
    return id.split(".").filter((_, index) => stars[index] === "*");
  }

  /**
   * What is declared of a number. Numbers of a pinned run or of a check stand under a name before the id: `from`.
   * @param {string} id
   */
  function known(id) {
    const [from, ...rest] = id.split(".");
    const inner = rest.join(".");
    if (painter.shapeOf(id)) return { id, shape: /** @type {string} */ (painter.shapeOf(id)), from: "" };
    const own = [inner, "evidence." + inner].find((candidate) => painter.shapeOf(candidate));
    return own ? { id: own, shape: /** @type {string} */ (painter.shapeOf(own)), from } : { id, shape: "", from: "" };
  }

  /** @param {string} id @param {string} shape */
  function label(id, shape) {
    const given = RLPU.live.label(id);
    if (given || !shape) return given || id;
    const parts = captured(id, shape);
    return painter.filled(data.numbers[shape][1], { ...parts, nth: Number(parts[0]) + 1, ...RLPU.formulas.placeholders(parts) });
  }

  /** Return the lines of a formula with the numbers put in, or none. @param {string} id @param {string} shape @returns {string[]} */
  function filled(id, shape) {
    const state = RLPU.live.state();
    if (!state || !shape) return [];
    const [own, template] = [RLPU.formulas.own[shape], data.numbers[shape][3]];
    const parts = captured(id, shape);
    try {
      if (own) return own(state, parts);
      return template ? new Writer(painter).lines(template, parts) : [];
    } catch (error) {
      if (error instanceof Absent) return [];
      throw error;
    }
  }

  /** Say where a value comes from. @param {string} id @param {string} shape @param {string} from */
  function origin(id, shape, from) {
    if (shape && data.numbers[shape][0] === null) return words("card.given");
    return words(from || (painter.value(id) !== undefined && !RLPU.live.fixed(id)) ? "card.here" : "card.built");
  }

  RLPU.cardText = { known, label, filled, origin };
})();
