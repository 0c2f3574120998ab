// Model view: pictures that the keyboard reaches and opens, and in words what a query in an open one attends to.

import { onKeys } from "../../../viz_core/browser/kit/composing";
import { setAttributes } from "../../../viz_core/browser/kit/dom";
import { fill } from "../../../viz_core/browser/kit/numbers";
import { atEachDrawing, attention, drawing, fit, params, readable, rove, say, share, words } from "./frame.js";

const MOST = 4; // keys of one query that are read out
const HEADS = params.include_heads.length;

const named = ([layer, head]) =>
  fill(words.place, { layer: params.include_layers[layer], head: params.include_heads[head] });

function open(at, picture) {
  const details = drawing.querySelectorAll("svg > g.detail");
  setAttributes(picture, { "aria-expanded": details.length > 0 });
  if (details.length) say(`${named(at)}.`, [], words.opened);
  else say("", [], words.hint);
  if (!details.length) return;
  fit(drawing.querySelectorAll("text.token"));
  const tokens = [...details[0].children]; // on the left, where bertviz hears the pointer
  tokens.forEach((token, index) => {
    const name = fill(words.a_query, { token: attention().left_text[index] });
    readable(token, name, () => read(at, index));
  });
  rove(tokens);
}

function read(at, index) {
  const { attn, left_text: queries, right_text: keys } = attention();
  const row = attn[at[0]][at[1]][index];
  const order = [...row.keys()].filter((key) => row[key]).sort((a, b) => row[b] - row[a]);
  const entries = order.slice(0, MOST).map((key) => `«${keys[key]}» ${share(row[key])}`);
  say(`${named(at)}: ${fill(words.looks, { token: queries[index] })}`, entries.length ? entries : [words.nothing]);
}

atEachDrawing(() => {
  const pictures = [...drawing.querySelectorAll("svg > g")];
  pictures.forEach((picture, index) => {
    const at = [Math.floor(index / HEADS), index % HEADS];
    setAttributes(picture, { role: "button", "aria-label": named(at), "aria-expanded": false });
    picture.addEventListener("click", () => {
      for (const other of pictures) setAttributes(other, { "aria-expanded": false });
      open(at, picture);
    });
    onKeys(picture, (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      picture.lastElementChild.dispatchEvent(new MouseEvent("click", { bubbles: true })); // there bertviz hears it
    });
  });
  rove(pictures, HEADS);
  say("", [], words.hint);
});
