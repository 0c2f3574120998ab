// Pointer and keyboard on the lens: what is under the pointer is read out and highlighted; a click goes one level deeper, or to the
// neighbouring block.

import { isWithin } from "../../web/src/marks/mark";
import { nth } from "../../web/src/payload";
import type { Store, View } from "../../web/src/ui/store";
import type { Entry, Place } from "../attention_view/data";
import { type Pointed, under } from "../attention_view/picture";
import { readingOfDimension } from "../attention_view/reading";
import { NAME } from "../attention_view/vectors";
import { onKeys } from "../kit/composing";
import { fill, numeral } from "../kit/numbers";
import { isEncoders } from "../kit/operations";
import { sideOf, streamOf } from "./after";
import { hasValues, isOfMatrix, stacksOf } from "./attention";
import type { Side, Stack, Thing } from "../overview/data";
import type { AttentionScene, Hover, MatrixScene, Scene } from "./scene";
import { type Spot, termUnder } from "./terms";
import { clicked, spokenCell } from "../attention_view/cell";

const CARDS_UNDER = ["focus", "encoder", "decoder", "after", "output"] as const; // topmost first

/** What the pointer is on: a cell of the attention or of a vector, or something that opens a block, picks a token or has a caption. */
interface Target {
  cell?: Pointed | null;
  spot?: Spot | null;
  opens?: string;
  picks?: [side: Side, index: number];
  thing?: Thing | null;
}

type Point = { x: number; y: number };

type Acts = { hoverAt(cell: Hover): void; say(thing: Thing | null): void; pick(side: Side, index: number): void };

// now: the current scene, or null. hoverAt and say hear what the pointer is on, pick which token is chosen.
export function followLens(
  canvas: HTMLCanvasElement,
  store: Store,
  now: () => { scene: Scene; zoom: number } | null,
  { hoverAt, say, pick }: Acts,
) {
  let last = "";

  function targetAt({ clientX, clientY }: MouseEvent): Target | null {
    const { left, top } = canvas.getBoundingClientRect();
    const drawn = now();
    return drawn && thingAt(drawn.scene, { x: (clientX - left) / drawn.zoom, y: (clientY - top) / drawn.zoom });
  }

  function point(target: Target | null) {
    const name = JSON.stringify(target);
    if (name === last) return;
    last = name;
    canvas.style.cursor = target?.cell || target?.opens || target?.picks ? "pointer" : "";
    hoverAt(target?.cell ?? target?.spot ?? null);
    say(target?.thing ?? null);
  }

  function click(event: MouseEvent) {
    const target = targetAt(event);
    point(target);
    if (target?.picks) return pick(...target.picks);
    if (target?.opens) return store.set({ open: target.opens, cell: null });
    change((scene) => (target?.cell ? clicked(scene.attention.frame, target.cell) : null));
  }

  function change(wanted: (scene: AttentionScene) => Partial<View> | null) {
    const scene = now()?.scene;
    const patch = scene?.attention ? wanted(scene) : null;
    if (patch) store.set(patch);
  }

  canvas.addEventListener("pointermove", (event) => point(targetAt(event)));
  canvas.addEventListener("pointerleave", () => point(null));
  canvas.addEventListener("click", click);
  onKeys(canvas, ({ key }: KeyboardEvent) => {
    if (key !== "Enter") return;
    change(({ attention: { frame } }) => (frame.grid ? { show: "one" } : clicked(frame, spokenCell(frame, null))));
  });
}

function thingAt(scene: Scene, at: Point): Target {
  const { plan, current } = scene;
  const card = CARDS_UNDER.find((name) => isWithin(plan[name], at.x, at.y));
  if (card === "focus") return scene.attention ? inAttention(scene, at) : { spot: termUnder(scene.terms, at) };
  if (card === "encoder" || card === "decoder") return tokenAtRow(scene, card, at.y);
  const stack = sideOf(scene);
  const ffn = stack === "encoder" ? "encoder_ffn" : "ffn";
  const index = current[stack] ?? 0;
  const goesOn = card === "after" && streamOf(scene, stack, index);
  if (goesOn) return { thing: { region: goesOn.region, index, layer: goesOn.layer } };
  if (card === "after") return { opens: ffn, thing: { region: ffn, index } };
  return card ? { opens: "softmax", thing: { block: "softmax" } } : {};
}

// A cell, or the parts before the scores and after the mix.
function inAttention(scene: AttentionScene, at: Point): Target {
  const { block } = scene;
  const cell = under(scene.attention.frame, at.x, at.y);
  if (cell || !isOfMatrix(scene)) return { cell };
  const { attention } = scene;
  const number = numberAt(scene, at);
  if (number) return { thing: number };
  if (isWithin(attention.mix, at.x, at.y)) return { opens: `${block}_out`, thing: { block: "out" } };
  if (at.y < attention.labels && !(attention.side && at.x >= attention.side.x))
    return { opens: `${block}_qkv`, thing: { block: "qkv" } };
  return {};
}

// The dimension whose bar the pointer is on, of q and k or of a value.
function numberAt(scene: MatrixScene, { x, y }: Point): Thing | null {
  const { attention, data, kind, view, texts } = scene;
  const { frame, side, values } = attention;
  const { selection, layout, head } = frame;
  if (selection.covered) return null;
  const whole = data.attention[kind];
  if (side && x >= side.x + NAME && x < side.x + side.w && y < side.y + side.h / 2 && view.stage !== "mix") {
    const dim = Math.floor(((x - side.x - NAME) / (side.w - NAME)) * whole.width);
    const place = { place: spokenCell(frame, null), dim, layer: view.layer, head };
    return { said: readingOfDimension(frame, place), inks: ["q", "k"] };
  }
  const column = Math.floor((x - layout.x) / layout.cw);
  if (!hasValues(scene) || !isWithin({ ...values, x: layout.x, w: layout.w }, x, y)) return null;
  if (column >= selection.thereColumns) return null;
  const dim = Math.floor(((y - values.y) / values.h) * whole.width);
  const { tokens, label } = nth(selection.columns, column);
  const value = numeral(nth(whole.vector("v", view.layer, head, tokens[0]), dim), false); // sent as float16
  return { said: fill(texts.lens.reads_value, { key: label, dimension: dim + 1, value }), inks: ["k"] };
}

function tokenAtRow(scene: Scene, stack: Stack, y: number): Target {
  const { block, view } = scene;
  const { labels, isMemory, rows } = scene.stacks[stack];
  const index = Math.floor((y - rows.top) / rows.pitch);
  const isThere = index >= 0 && index <= (stack === "decoder" ? view.step : labels.length - 1);
  const region = isMemory ? "memory" : stack === "encoder" ? "source_input" : "target_input";
  if (isThere && !scene.attention && (block === "embedding" || (stack === "encoder" && isEncoders(block))))
    return { picks: [stack === "encoder" ? "source" : "target", index], thing: { region, index } };
  const opens = isMemory ? "memory" : stack === "encoder" ? "encoder" : "masked";
  const cell = isThere && scene.attention ? lineOf(scene, stack, index) : null;
  const thing = isThere && !cell ? { region, index } : null;
  return { opens: opens === block ? "embedding" : opens, cell, thing };
}

// A query's row or a key's column of the matrix, as if the pointer were on its label; null if it has none.
function lineOf({ attention, kind }: AttentionScene, stack: Stack, token: number): Place | null {
  if (!attention.isMatrix) return null;
  const { rows, columns } = attention.frame.selection;
  const place = (all: Entry[]) => all.findIndex(({ tokens }) => tokens.includes(token));
  const { query, key } = stacksOf(kind);
  if (stack === query) return place(rows) < 0 ? null : [place(rows), -1];
  return stack === key && place(columns) >= 0 ? [-1, place(columns)] : null;
}
