// Model view: thumbnails that the keyboard reaches and opens, and in words what a query of the open one attends to.

import { onKeys } from "../../../viz_core/browser/kit/composing";
import { setAttributes } from "../../../viz_core/browser/kit/dom";
import { fill } from "../../../viz_core/browser/kit/numbers";
import { atEachDrawing, attention, drawing, fit, params, readable, rove, say, share, words } from "./frame";

const MOST = 4; // keys read out per query
const HEADS = params.include_heads.length;

type Place = [layer: number, head: number];

const named = ([layer, head]: Place) =>
  fill(words.place, { layer: params.include_layers[layer], head: params.include_heads[head] });

function open(at: Place, picture: SVGElement) {
  const [detail] = drawing.querySelectorAll("svg > g.detail");
  setAttributes(picture, { "aria-expanded": Boolean(detail) });
  if (detail) say(`${named(at)}.`, [], words.opened);
  else say("", [], words.hint);
  if (!detail) return;
  fit(drawing.querySelectorAll<SVGTextElement>("text.token"));
  const tokens = [...(detail.children as HTMLCollectionOf<SVGElement>)]; // the left ones, where bertviz listens to the pointer
  tokens.forEach((token, index) => {
    const name = fill(words.a_query, { token: attention().left_text[index] });
    readable(token, name, () => read(at, index));
  });
  rove(tokens);
}

function read(at: Place, index: number) {
  const { attn, left_text: queries, right_text: keys } = attention();
  const row = attn[at[0]]?.[at[1]]?.[index] ?? [];
  const order = [...row.entries()].filter(([, weight]) => weight).sort(([, a], [, b]) => b - a);
  const entries = order.slice(0, MOST).map(([key, weight]) => `«${keys[key]}» ${share(weight)}`);
  say(`${named(at)}: ${fill(words.looks, { token: queries[index] })}`, entries.length ? entries : [words.nothing]);
}

atEachDrawing(() => {
  const pictures = [...drawing.querySelectorAll<SVGElement>("svg > g")];
  pictures.forEach((picture, index) => {
    const at: Place = [Math.floor(index / HEADS), index % HEADS];
    setAttributes(picture, { role: "button", "aria-label": named(at), "aria-expanded": false });
    picture.addEventListener("click", () => {
      for (const other of pictures) setAttributes(other, { "aria-expanded": false });
      open(at, picture);
    });
    onKeys(picture, (event: KeyboardEvent) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      picture.lastElementChild?.dispatchEvent(new MouseEvent("click", { bubbles: true })); // bertviz listens there
    });
  });
  rove(pictures, HEADS);
  say("", [], words.hint);
});
