// The ribbons of an attention, from the keys to the query that attends to them. A ribbon's thickness is its weight: those that
// enter a row fill it, since they add up to 1. Weights under 2 % are drawn only if among the row's three strongest.

import { nth } from "../../web/src/payload";
import { range } from "../../web/src/marks/axis";
import { ATTENTION_OF } from "../kit/operations";
import type { Flow, Ribbon } from "../lens/travel";
import { type Kind, type Thing, sideOf } from "./data";
import { type Drawn, KEY_INSET, type Layout, type Span, flowPlan } from "./layout";

const SPARE = 3; // rows with ribbons above and below those in view
const FAINT = 0.02;
const ALWAYS = 3;
const HAIR = 0.8; // px: thinner cannot be seen

// Opacities: of a row (in general, in the encoder, beside the encoder's highlighted row, beside a hovered one); of a ribbon's fill.
const ROWS = { all: 0.3, self: 0.42, beside: 0.13, pointed: 0.1 };
const FILLS = { all: 0.75, self: 0.5, highlighted: 0.9 };

type Keyed = Ribbon & Record<"query" | "key", number>;

// The source token that the step attends to most; -1 while it is to be guessed.
export function strongestSource({ data, store: { view }, guess }: Drawn) {
  const weights = guess ? new Float32Array() : data.weights("cross", view.layer, view.head, view.step);
  return weights.indexOf(Math.max(...weights));
}

// The rows of an attention with ribbons, those in view and a few more, with the opacities of row and fill.
export function ribbonRows(kind: Kind, drawn: Drawn) {
  const { at, data, store, top, guess, thing } = drawn;
  const { step } = store.view;
  const isSelf = kind === "self";
  const highlighted = isSelf ? strongestSource(drawn) : step;
  const [pointed] = pointedRibbons(thing, step)[kind] ?? [];
  const first = at.scrolled(top)[isSelf ? "source" : "target"] / at.pitch;
  const from = Math.max(0, Math.floor(first) - SPARE);
  const to = Math.min(Math.ceil(first + at.view / at.pitch) + SPARE, isSelf ? data.S : step + 1);
  const seenOf = (query: number) => {
    if (query === pointed || (query === highlighted && (isSelf || pointed === undefined))) return 1;
    if (isSelf && highlighted >= 0) return ROWS.beside;
    return pointed !== undefined ? ROWS.pointed : isSelf ? ROWS.self : ROWS.all;
  };
  return range(Math.max(to - from, 0))
    .map((row) => from + row)
    .filter((query) => !(kind === "cross" && guess && query === step))
    .map((query) => {
      const isLit = query === highlighted;
      return { query, isLit, seen: seenOf(query), filling: isLit ? FILLS.highlighted : isSelf ? FILLS.self : FILLS.all };
    });
}

// The keys whose ribbons are drawn.
function strong(weights: Float32Array) {
  const of = (key: number) => nth(weights, key);
  const order = [...weights.keys()].filter((key) => of(key) > 0).sort((a, b) => of(b) - of(a));
  return order.filter((key, rank) => rank < ALWAYS || of(key) >= FAINT);
}

// A query's ribbons, each from the middle of the key's row to its share of the query's row, stacked in order. shift: px by which
// the keys are below their rows' height.
export function ribbonsOfRow(weights: Float32Array, query: number, { middle, thick }: Layout, { x, end }: Span, shift: number) {
  const seen = new Set(strong(weights));
  const ribbons: Keyed[] = [];
  let sum = 0;
  weights.forEach((weight, key) => {
    const to = middle(query) - thick / 2 + (sum + weight / 2) * thick;
    if (seen.has(key)) ribbons.push({ query, key, x, end, from: middle(key) + shift, to, size: Math.max(weight * thick, HAIR) });
    sum += weight;
  });
  return ribbons;
}

// The scroll offset between an attention's keys and queries, px.
export function shiftOf(kind: Kind, { at, top }: Drawn) {
  const { source, target } = at.scrolled(top);
  return kind === "cross" ? target - source : 0;
}

// Kind → [query, key] of the hovered ribbons; for a hovered token, all that enter its row.
type Pointed = Partial<Record<Kind, [query: number, key?: number | undefined]>>;
export function pointedRibbons(thing: Thing | null, step: number): Pointed {
  if (thing && "kind" in thing) return { [thing.kind]: [thing.query, thing.key] };
  if (!thing || !("region" in thing)) return {};
  const { region, index } = thing;
  if (region === "keys" || region === "memory") return { cross: [step, index] };
  return sideOf(region) === "target" ? { masked: [index], cross: [index] } : { self: [index] };
}

// An attention's ribbons and tokens in px of the flow, which travel into the lens; null for other blocks.
export function flowRibbons(block: string, drawn: Drawn): Flow | null {
  const { data, at, store, top } = drawn;
  const { layer, head } = store.view;
  const kind = ATTENTION_OF[block] as Kind | undefined;
  if (!kind) return null;
  const { encoder, decoder, font: size } = at;
  const own = at.head - at.scrolled(top)[kind === "self" ? "source" : "target"];
  const shift = shiftOf(kind, drawn);
  const middle = (row: number) => own + at.middle(row);
  const ribbons = ribbonRows(kind, drawn).flatMap(({ query, seen, filling }) => {
    const row = ribbonsOfRow(data.weights(kind, layer, head, query), query, { ...at, middle }, at.place[kind], shift);
    return row.map((ribbon) => ({ ...ribbon, alpha: seen * filling }));
  });
  const column = ({ end, width }: Span) => ({ left: end, align: "right", size, max: width, middle }) as const;
  const query = column((kind === "self" ? encoder : decoder).tokens);
  const keys = { ...column(decoder.keys), left: decoder.keys.x + KEY_INSET, align: "left" } as const;
  return {
    panel: flowPlan(at, block, top).focus,
    view: { y: at.head, h: at.view },
    ribbons,
    tokens: { query, key: kind === "cross" ? { ...keys, middle: (row) => middle(row) + shift } : query },
  };
}
