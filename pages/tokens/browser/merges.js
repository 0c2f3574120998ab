// How the word that is looked at is built: its characters, then one line for each merge, the joined token framed.

import { el, saySideways, setAttributes } from "../../../viz_core/browser/kit/dom.js";
import { keepDrawn } from "../../../viz_core/browser/kit/drawing.js";
import { fill, grouped } from "../../../viz_core/browser/kit/numbers.js";
import { readTensors } from "../../../viz_core/browser/kit/payload.js";
import { knownTokens, tokenOf, wordOf } from "./data.js";

const FEW = 12; // characters, up to which a cell is wide
const CELL = { few: 44, many: 28 }; // px: a long German word still fits a small screen

// payload: of pages/tokens/merging.py. Returns { update(payload), destroy() }.
export function mountMerges(root, payload, store) {
  let text = readTensors(payload).about;
  let shown; // the word that is drawn, null where none is
  const title = el("h2", {});
  const ladder = el("div", { class: "ladder", role: "img", tabindex: 0 });
  const node = el("div", {}, title, ladder);
  root.replaceChildren(node);
  saySideways(ladder);

  const paint = (view) => {
    const at = wordOf(text.counts, tokenOf(text.side, view));
    const end = text.counts.slice(0, at + 1).reduce((sum, count) => sum + count, 0);
    const now = end <= knownTokens(text.side, view) ? at : null;
    if (now === shown) return;
    shown = now;
    const built = now === null ? null : text.words[now];
    node.hidden = !built;
    if (built) draw(built);
  };

  const draw = (built) => {
    const { texts } = text;
    const done = Math.min(text.done, built.merges.length);
    const rows = rowsOf(built);
    const name = (step) => (step ? fill(texts.step, { step, rank: grouped(built.merges[step - 1][1]) }) : texts.start);
    const columns = built.letters.length;
    const least = columns <= FEW ? CELL.few : CELL.many;
    const style = `grid-template-columns: 12rem repeat(${columns}, minmax(${least}px, auto))`;
    const lines = rows.map(({ tokens, joined }, step) => {
      const cells = tokens.map(([words, start, width], at) =>
        el(
          "span",
          { class: at === joined ? "token joined" : "token", style: `grid-column: ${start + 2} / span ${width}` },
          words,
        ),
      );
      const mark = step > done ? " later" : step === done ? " now" : "";
      return el("div", { class: `rung${mark}`, style }, el("span", { class: "why" }, name(step)), ...cells);
    });
    title.textContent = fill(texts.built, { word: built.word });
    ladder.replaceChildren(...lines);
    const spoken = rows
      .slice(0, done + 1)
      .map(({ tokens }, step) => `${name(step)}: ${tokens.map(([word]) => word).join(", ")}`);
    setAttributes(ladder, { "aria-label": spoken.join("; ") });
  };
  const drawing = keepDrawn(root, store, paint);

  function update(next) {
    text = readTensors(next).about;
    shown = undefined;
    drawing.show();
  }
  return { update, destroy: drawing.destroy };
}

// The word before the first merge and after each, every token over the characters that it holds: of each row its tokens as
// [text, first character, characters], and the index of the one that the merge made.
function rowsOf({ letters, merges }) {
  const rows = [{ tokens: letters.map((letter, at) => [letter, at, 1]), joined: null }];
  for (const [at, , words] of merges) {
    const { tokens } = rows.at(-1);
    const [[, start, left], [, , right]] = [tokens[at], tokens[at + 1]];
    rows.push({ tokens: [...tokens.slice(0, at), [words, start, left + right], ...tokens.slice(at + 2)], joined: at });
  }
  return rows;
}
