// Pointer and keyboard on the lens: what lies under the pointer is read out and shows its line; a click goes one level
// deeper, or to the block beside it.

import { clicked } from "../attention_view/marks";
import { spokenCell, under } from "../attention_view/picture";
import { readingOfDimension } from "../attention_view/reading";
import { NAME } from "../attention_view/vectors";
import { onKeys } from "../kit/composing.js";
import { fill, numeral } from "../kit/numbers.js";
import { isEncoders } from "../kit/operations.js";
import { sideOf, streamOf } from "./after.js";
import { hasValues, stacksOf } from "./attention.js";
import { termUnder } from "./terms.js";

const CARDS_UNDER = ["focus", "encoder", "decoder", "after", "output"]; // the nearest first

// now: () => the scene as it is drawn, with its zoom, or null. hoverAt(cell) and say(thing) are told what is pointed at,
// pick(side, index) which token was chosen.
export function followLens(canvas, store, now, { hoverAt, say, pick }) {
  let last = "";

  const pointed = ({ clientX, clientY }) => {
    const { left, top } = canvas.getBoundingClientRect();
    const { zoom } = now();
    return { x: (clientX - left) / zoom, y: (clientY - top) / zoom };
  };

  function point(found) {
    const name = JSON.stringify(found);
    if (name === last) return;
    last = name;
    canvas.style.cursor = found?.cell || found?.opens || found?.picks ? "pointer" : "";
    hoverAt(found?.cell ?? found?.spot ?? null);
    say(found?.thing ?? null);
  }

  function click(event) {
    const found = thingAt(now(), pointed(event));
    point(found);
    if (found.picks) return pick(...found.picks);
    if (found.opens) return store.set({ open: found.opens, cell: null });
    const change = found.cell && clicked(now().attention.frame, found.cell);
    if (change) store.set(change);
  }

  const enter = ({ key }) => {
    const { frame } = now()?.attention ?? {};
    if (key !== "Enter" || !frame) return;
    const change = frame.grid ? { show: "one" } : clicked(frame, spokenCell(frame, null));
    if (change) store.set(change);
  };

  canvas.addEventListener("pointermove", (event) => now() && point(thingAt(now(), pointed(event))));
  canvas.addEventListener("pointerleave", () => point(null));
  canvas.addEventListener("click", (event) => now() && click(event));
  onKeys(canvas, enter);
}

const within = ({ x, y }, box) => x >= box.x && x < box.x + box.w && y >= box.y && y < box.y + box.h;

// { cell } of the attention; else the block to which a click leads, and a thing as the flow's pointer knows it.
function thingAt(scene, at) {
  const { plan, attention, current } = scene;
  const card = CARDS_UNDER.find((name) => within(at, plan[name]));
  if (card === "focus") return attention ? inAttention(scene, at) : { spot: termUnder(scene.terms, at) };
  if (card === "encoder" || card === "decoder") return tokenAtRow(scene, card, at.y);
  const stack = sideOf(scene);
  const ffn = stack === "encoder" ? "encoder_ffn" : "ffn";
  const index = current[stack] ?? 0;
  const goesOn = card === "after" && streamOf(scene, stack, index);
  if (goesOn) return { thing: { region: goesOn.region, index, layer: goesOn.layer } };
  if (card === "after") return { opens: ffn, thing: { region: ffn, index } };
  return card ? { opens: "softmax", thing: { block: "softmax" } } : {};
}

// A cell; or what comes before the scores, and behind the mix.
function inAttention(scene, at) {
  const { block, attention } = scene;
  const cell = under(attention.frame, at.x, at.y);
  if (cell || !attention.isMatrix) return { cell };
  const said = numberAt(scene, at);
  if (said) return { thing: said };
  if (within(at, attention.mix)) return { opens: `${block}_out`, thing: { block: "out" } };
  if (at.y < attention.labels && !(attention.side && at.x >= attention.side.x))
    return { opens: `${block}_qkv`, thing: { block: "qkv" } };
  return {};
}

// The dimension of q and k, or of a value, on whose bar the pointer is, as { said, inks }; null elsewhere.
function numberAt({ attention, data, kind, view, texts }, { x, y }) {
  const { frame, side, values } = attention;
  const { selection, layout, head } = frame;
  if (selection.covered) return null;
  const found = data.attention[kind];
  if (side && x >= side.x + NAME && x < side.x + side.w && y < side.y + side.h / 2 && view.stage !== "mix") {
    const dim = Math.floor(((x - side.x - NAME) / (side.w - NAME)) * found.width);
    const place = { place: spokenCell(frame, null), dim, layer: view.layer, head };
    return { said: readingOfDimension(frame, place), inks: ["q", "k"] };
  }
  const column = Math.floor((x - layout.x) / layout.cw);
  if (!hasValues({ view, attention }) || !within({ x, y }, { ...values, x: layout.x, w: layout.w })) return null;
  if (column >= selection.thereColumns) return null;
  const dim = Math.floor(((y - values.y) / values.h) * found.width);
  const { tokens, label } = selection.columns[column];
  const value = numeral(found.vector("v", view.layer, head, tokens[0])[dim], false); // sent as float16
  return { said: fill(texts.lens.reads_value, { key: label, dimension: dim + 1, value }), inks: ["k"] };
}

function tokenAtRow(scene, stack, y) {
  const { block, view } = scene;
  const { labels, isMemory, rows } = scene.stacks[stack];
  const index = Math.floor((y - rows.top) / rows.pitch);
  const isThere = index >= 0 && index <= (stack === "decoder" ? view.step : labels.length - 1);
  const region = isMemory ? "memory" : stack === "encoder" ? "source_input" : "target_input";
  if (isThere && scene.terms && (block === "embedding" || (stack === "encoder" && isEncoders(block))))
    return { picks: [stack === "encoder" ? "source" : "target", index], thing: { region, index } };
  const opens = isMemory ? "memory" : stack === "encoder" ? "encoder" : "masked";
  const cell = isThere ? lineOf(scene, stack, index) : null;
  const thing = isThere && !cell ? { region, index } : null;
  return { opens: opens === block ? "embedding" : opens, cell, thing };
}

// The row of a query, or else the column of a key, as what is pointed at in the matrix; null where there is none.
function lineOf({ attention, kind }, stack, token) {
  if (!attention?.isMatrix) return null;
  const { rows, columns } = attention.frame.selection;
  const place = (all) => all.findIndex(({ tokens }) => tokens.includes(token));
  const { query, key } = stacksOf(kind);
  if (stack === query) return place(rows) < 0 ? null : [place(rows), -1];
  return stack === key && place(columns) >= 0 ? [-1, place(columns)] : null;
}
