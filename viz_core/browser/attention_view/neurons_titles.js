// Above the rows of the neuron view: what each part is, the colours with their numbers, and the sum of the row that is
// spoken of.

import { colourAt, ladder } from "../kit/colours.js";
import { fill, threeDigits } from "../kit/numbers.js";
import { READABLE, textWidth } from "../kit/pen.js";
import { numeral } from "./words.js";

const SCALE_BAR = 120;
const SHADE = 2; // px: a scale of colours; one of its shades
const MOST_TERMS = 4; // of a sum, the largest

// What each part is, and the colours.
export function titlesOf(pen, frame, end) {
  const {
    data,
    selection,
    layout,
    asked,
    texts,
    theme,
    titles: { columns, corner },
  } = frame;
  const { box, x, products, wide, labels, y, query } = layout;
  const style = { size: READABLE, bold: true };
  const above = box.y + 11;
  const below = y - 14;
  const { label } = selection.rows[asked];
  pen.text(corner.join(", "), box.x + 2, above, { ...style, fill: theme.ink, max: labels - 8 });
  const either = (words, short) => (textWidth(words, READABLE, true) <= wide ? words : short);
  pen.text(either(fill(texts.q_of, { query: label }), texts.q), x, above, { ...style, fill: theme.q_text });
  pen.text(label, x - 10, query.y + query.h / 2, { ...style, fill: theme.q_text, align: "right", max: labels - 10 });
  pen.text(textWidth(columns, READABLE, true) < labels ? columns : texts.pick_key, x - 10, below, {
    ...style,
    fill: theme.k_text,
    align: "right",
  });
  pen.text(either(texts.k_of, texts.k), x, below, { ...style, fill: theme.k_text });
  pen.text(either(texts.qk_of, texts.qk), products, below, { ...style, fill: theme.ink });
  for (const { name, words, x: left, w, reached } of layout.numbers) {
    const last = name === "mask";
    if (reached)
      pen.text(words, last ? left + 6 + w / 2 : left + w, below, {
        ...style,
        fill: theme.ink,
        align: last ? "center" : "right",
      });
  }
  const words = fill(texts.dimensions, { d_k: data.width });
  const right = box.x + box.w;
  const next = scaleBar(pen, end, products, above, theme);
  if (next + textWidth(words, READABLE) <= right)
    pen.text(words, right, above, { size: READABLE, fill: theme.quiet, align: "right" });
}

// The colours with their numbers; those at the ends are of what is beyond, too. Returns where the next may begin.
function scaleBar(pen, end, x, y, theme) {
  const [low, high] = [`≤ −${end}`, `≥ ${end}`];
  const table = ladder(theme.diverging);
  const style = { size: READABLE, fill: theme.ink };
  const bar = x + textWidth(low, READABLE) + 8;
  pen.text(low, x, y, style);
  for (let at = 0; at < SCALE_BAR; at += SHADE)
    pen.box(bar + at, y - 7, SHADE + 0.5, 14, { fill: colourAt(table, at / (SCALE_BAR - SHADE)) });
  pen.box(bar - 0.5, y - 7.5, SCALE_BAR + 1, 15, { stroke: theme.quiet, width: 1 });
  pen.text(high, bar + SCALE_BAR + 8, y, style);
  return bar + SCALE_BAR + 8 + textWidth(high, READABLE) + 20;
}

// The sum with as many of its largest terms as there is room for: 4.65 − 2.41 + … = 9.404.
export function sumOf(pen, { data, view, selection, layout, asked, texts, theme }, q, key) {
  const {
    tokens: [at],
  } = selection.columns[key];
  const k = data.vector("k", view.layer, view.head, at);
  const query = selection.rows[asked].tokens[0];
  const terms = Array.from(q, (value, dim) => value * k[dim]).sort((a, b) => Math.abs(b) - Math.abs(a));
  const score = data.values(view.layer, view.head, "scores")[query * data.columns + at];
  const {
    products,
    box,
    query: { y, h },
  } = layout;
  const room = box.x + box.w - products;
  for (let count = Math.min(MOST_TERMS, terms.length); count > 0; count -= 1) {
    const listed = terms
      .slice(0, count)
      .map((term, place) => `${term < 0 ? (place ? " − " : "−") : place ? " + " : ""}${threeDigits(Math.abs(term))}`)
      .join("");
    const words = fill(texts.largest_first, {
      terms: listed + (count < terms.length ? " + …" : ""),
      score: `${data.exact ? "= " : ""}${numeral(score, data.exact)}`,
    });
    if (textWidth(words, READABLE) > room) continue;
    pen.text(words, products, y + h / 2, { size: READABLE, fill: theme.ink });
    return;
  }
}
