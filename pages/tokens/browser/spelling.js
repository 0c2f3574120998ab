// A text in four rows, a block for each word: its characters, the words, their tokens, and the ids of these, everything under
// the characters that it came from.

import { el, setAttributes } from "../../../viz_core/browser/kit/dom.js";
import { keepDrawn } from "../../../viz_core/browser/kit/drawing.js";
import { readTensors } from "../../../viz_core/browser/kit/payload.js";
import { knownTokens, lookAt, tokenOf } from "./data.js";

const LINE = 175; // px of the four rows and the gap below them, as in the style sheet
const SLACK = 18; // px that stay free below, so that the page itself does not scroll

// payload: of pages/tokens/spelling.py. Returns { update(payload), destroy() }.
export function mountSpelling(root, payload, store) {
  let text = readTensors(payload).about;
  let known = null; // tokens that are drawn
  let shown = null; // the token that is in sight
  let lines = 0;
  let cells = [];
  const names = el("div", { class: "names" });
  const flow = el("div", { class: "flow" });
  const scroller = el("div", { class: "spelling", role: "img", tabindex: 0 }, el("div", { class: "in" }, names, flow));
  root.replaceChildren(scroller);
  flow.addEventListener("click", ({ target }) => {
    const at = target.closest("[data-token]")?.dataset.token;
    const patch = at === undefined ? null : lookAt(text.side, Number(at));
    if (patch) store.set(patch);
  });

  const build = () => {
    const blocks = shownBlocks(text, known);
    flow.replaceChildren(...blocks.map(drawBlock));
    cells = [...flow.querySelectorAll(".token")];
    setAttributes(scroller, { "aria-label": `${text.names.join(", ")}. ${blocks.map(spoken).join("; ")}` });
  };

  const paint = (view, { height }) => {
    scroller.style.maxHeight = `${Math.max(height - SLACK, LINE)}px`;
    const now = knownTokens(text.side, view);
    if (now !== known) {
      known = now;
      build();
    }
    nameLines();
    const picked = tokenOf(text.side, view);
    cells.forEach((cell, at) => cell.classList.toggle("picked", at === picked));
    for (const block of flow.children) block.classList.toggle("highlighted", Boolean(block.querySelector(".picked")));
    if (picked !== shown) bringIntoSight(scroller, cells[picked]);
    shown = picked;
  };

  // The names of the rows stand left of each line.
  const nameLines = () => {
    const now = Math.max(1, Math.round(flow.offsetHeight / LINE));
    if (now === lines) return;
    lines = now;
    // "words: 8" counts the whole text, so only the first line has it.
    const line = (_, at) =>
      el("div", {}, ...text.names.map((name) => el("span", {}, at ? name.split(/[:：]/)[0] : name)));
    names.replaceChildren(...Array.from({ length: lines }, line));
  };
  const drawing = keepDrawn(root, store, paint);

  function update(next) {
    text = readTensors(next).about;
    [known, shown, lines] = [null, null, 0];
    drawing.show();
  }
  return { update, destroy: drawing.destroy };
}

// The blocks whose tokens are known; a word that is to be guessed is a question mark.
function shownBlocks({ blocks, hidden }, known) {
  let first = 0;
  const all = blocks.map((block) => {
    const own = { ...block, first };
    first += block.tokens.length;
    return own;
  });
  const shown = all.filter((block) => block.first < known).map((block) => cutBlock(block, known - block.first, hidden));
  const ends = shown.at(-1)?.word?.[0] === hidden;
  const rest = { first: Infinity, letters: [], word: [hidden, 0, 1], tokens: [] };
  return first <= known || ends ? shown : [...shown, rest];
}

function cutBlock(block, count, hidden) {
  if (count >= block.tokens.length) return block;
  const end = block.tokens[count][1];
  const before = (spans) => spans.filter(([, start]) => start < end);
  return { ...block, letters: before(block.letters), tokens: before(block.tokens), word: [hidden, 0, end] };
}

function drawBlock({ letters, word, tokens, first }) {
  const holding = (start) => tokens.findIndex(([, from, width]) => start >= from && start < from + width);
  const columns = Math.max(
    ...[...letters, ...tokens, ...(word ? [word] : [])].map(([, start, width]) => start + width),
  );
  const cells = letters.map((letter) =>
    cell(letter[0] === "␣" ? "blank" : "letter", letter, first + Math.max(holding(letter[1]), 0)),
  );
  if (word) cells.push(cell("word", word, first));
  tokens.forEach((token, at) => {
    cells.push(cell(word ? "token" : "token special", token, first + at));
    cells.push(cell("id", [token[3], token[1], token[2]], first + at));
  });
  const style = `grid-template-columns: repeat(${columns}, minmax(min-content, auto))`;
  return el("div", { class: "block", style }, ...cells);
}

function cell(name, [words, start, width], token) {
  const known = Number.isFinite(token) ? token : null;
  return el("span", { class: name, style: `grid-column: ${start + 1} / span ${width}`, "data-token": known }, words);
}

function spoken({ word, tokens }) {
  const listed = tokens.map(([token, , , id]) => `${token} ${id}`).join(", ");
  return word ? `«${word[0]}»: ${listed}` : listed;
}

// The line of the cell in the scroller, and the cell in a word that is wider than its place.
function bringIntoSight(scroller, cell) {
  if (!cell) return;
  const block = cell.parentElement;
  const [box, place] = [block.getBoundingClientRect(), scroller.getBoundingClientRect()];
  if (box.top < place.top || box.bottom > place.bottom + 1) scroller.scrollTop += box.top - place.top;
  const [own, room] = [cell.getBoundingClientRect(), block.getBoundingClientRect()];
  if (own.left < room.left || own.right > room.right) block.scrollLeft += own.left - room.left;
}
