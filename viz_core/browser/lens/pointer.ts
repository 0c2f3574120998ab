// Pointer and keyboard on the lens: what lies under the pointer is read out and shows its line; a click goes one level
// deeper, or to the block beside it.

import { isWithin } from "../../web/src/marks/mark";
import { nth } from "../../web/src/payload";
import type { Store, View } from "../../web/src/ui/store";
import type { Entry, Place } from "../attention_view/data";
import { clicked } from "../attention_view/marks";
import { type Pointed, spokenCell, under } from "../attention_view/picture";
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

const CARDS_UNDER = ["focus", "encoder", "decoder", "after", "output"] as const; // the nearest first

/** A cell of the attention or of a vector; else the block to which a click leads or the token that it picks, and what is said of it. */
interface Found {
  cell?: Pointed | null;
  spot?: Spot | null;
  opens?: string;
  picks?: [side: Side, index: number];
  thing?: Thing | null;
}

type Point = { x: number; y: number };

type Acts = { hoverAt(cell: Hover): void; say(thing: Thing | null): void; pick(side: Side, index: number): void };

// now: () => the scene as it is drawn, or null. hoverAt and say are told what is pointed at, pick which token was chosen.
export function followLens(
  canvas: HTMLCanvasElement,
  store: Store,
  now: () => { scene: Scene; zoom: number } | null,
  { hoverAt, say, pick }: Acts,
) {
  let last = "";

  function foundAt({ clientX, clientY }: MouseEvent): Found | null {
    const { left, top } = canvas.getBoundingClientRect();
    const drawn = now();
    return drawn && thingAt(drawn.scene, { x: (clientX - left) / drawn.zoom, y: (clientY - top) / drawn.zoom });
  }

  function point(found: Found | null) {
    const name = JSON.stringify(found);
    if (name === last) return;
    last = name;
    canvas.style.cursor = found?.cell || found?.opens || found?.picks ? "pointer" : "";
    hoverAt(found?.cell ?? found?.spot ?? null);
    say(found?.thing ?? null);
  }

  function click(event: MouseEvent) {
    const found = foundAt(event);
    point(found);
    if (found?.picks) return pick(...found.picks);
    if (found?.opens) return store.set({ open: found.opens, cell: null });
    change((scene) => (found?.cell ? clicked(scene.attention.frame, found.cell) : null));
  }

  // Changes the view as the attention wants it.
  function change(wanted: (scene: AttentionScene) => Partial<View> | null) {
    const scene = now()?.scene;
    const patch = scene?.attention ? wanted(scene) : null;
    if (patch) store.set(patch);
  }

  canvas.addEventListener("pointermove", (event) => point(foundAt(event)));
  canvas.addEventListener("pointerleave", () => point(null));
  canvas.addEventListener("click", click);
  onKeys(canvas, ({ key }: KeyboardEvent) => {
    if (key !== "Enter") return;
    change(({ attention: { frame } }) => (frame.grid ? { show: "one" } : clicked(frame, spokenCell(frame, null))));
  });
}

function thingAt(scene: Scene, at: Point): Found {
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

// A cell; or what comes before the scores, and behind the mix.
function inAttention(scene: AttentionScene, at: Point): Found {
  const { block } = scene;
  const cell = under(scene.attention.frame, at.x, at.y);
  if (cell || !isOfMatrix(scene)) return { cell };
  const { attention } = scene;
  const said = numberAt(scene, at);
  if (said) return { thing: said };
  if (isWithin(attention.mix, at.x, at.y)) return { opens: `${block}_out`, thing: { block: "out" } };
  if (at.y < attention.labels && !(attention.side && at.x >= attention.side.x))
    return { opens: `${block}_qkv`, thing: { block: "qkv" } };
  return {};
}

// The dimension of q and k, or of a value, on whose bar the pointer is.
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

function tokenAtRow(scene: Scene, stack: Stack, y: number): Found {
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

// The row of a query, or else the column of a key, as what is pointed at in the matrix; null where there is none.
function lineOf({ attention, kind }: AttentionScene, stack: Stack, token: number): Place | null {
  if (!attention.isMatrix) return null;
  const { rows, columns } = attention.frame.selection;
  const place = (all: Entry[]) => all.findIndex(({ tokens }) => tokens.includes(token));
  const { query, key } = stacksOf(kind);
  if (stack === query) return place(rows) < 0 ? null : [place(rows), -1];
  return stack === key && place(columns) >= 0 ? [-1, place(columns)] : null;
}
