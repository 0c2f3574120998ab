// The background of the overview's rows: lanes, the current layer in front of the others, the blocks with their heads, the lines
// between the stacks, and the ribbons of an attention.

import { render } from "preact";
import { nth } from "../../web/src/payload";
import { fill } from "../kit/numbers";
import { READABLE } from "../kit/pen";
import { KINDS, type Kind, type Overview, SIDES, STACKS, type Stack, type Thing, sideOf } from "./data";
import { type Drawn, type Layout, NEXT_TOP, type Span, type Wide, KEY_INSET, flowPlan } from "./layout";
import { ATTENTION_OF } from "../kit/operations";
import type { Flow, Ribbon } from "../lens/travel";
import { range } from "../../web/src/marks/scale";

export const drawBack = (svg: Element, drawn: Drawn) => render(<Back {...drawn} />, svg);

function Back({ at, data, store, wide, top }: Drawn) {
  const { layer, head } = store.view;
  const { encoder, decoder, high, output } = at;
  const tile = { width: 7, height: 7 };
  // from every row of the memory up, over to the decoder, and down to every key of cross attention
  const [from, to, turn] = [encoder.memory.end - encoder.memory.width / 2, decoder.bus.x + 3, 14];
  const over = `Q${from} ${turn} ${from + 12} ${turn}H${to - 12}Q${to} ${turn} ${to} ${turn + 12}`;
  const bus = `M${from} ${at.head - 8}V${turn + 12}${over}V${at.head + at.view - 6}`;
  const y = NEXT_TOP + 16;
  const isNext = layer === data.depth.decoder - 1; // else there are layers between this one and the next token
  return (
    <>
      <defs>
        <pattern id="vm-hatch" {...tile} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect {...tile} />
          <path d="M1 0V7" />
        </pattern>
      </defs>
      <rect class="lane encoder" x={encoder.x} y={0} width={encoder.end} height={high} rx={12} />
      <rect class="lane decoder" x={decoder.x} y={0} width={decoder.end - decoder.x} height={high} rx={12} />
      {STACKS.map((stack) => cards(at, stack))}
      {KINDS.map((kind) => attentionBlock(at, kind, data.heads, head))}
      {tower(at, encoder.ffn, data.texts.lens.ffn)}
      {tower(at, decoder.ffn, data.texts.lens.ffn)}
      <path d={bus} class="bus" stroke-width={3} />
      <path class="wire strong" d={`M${decoder.end} ${y}H${output.x - 10}`} stroke-dasharray={isNext ? undefined : "3 3"} />
      <path class="end-of-wire" d={`M${output.x - 3} ${y}l-9 -5v10z`} />
      <text
        class="quiet in-sight"
        x={encoder.tokens.x}
        y={high + 20}
        font-size={READABLE}
        children={sightOf(at, top, data, wide)}
      />
    </>
  );
}

// The layer on display, in front of the others.
function cards({ card: top, deck, decks, bottom, ...lanes }: Layout, stack: Stack) {
  const { x, end } = lanes[stack].card;
  return Array.from({ length: decks + 1 }, (_, at) => {
    const behind = decks - at;
    const place = { x: x + behind * 6, y: top - behind * deck, width: end - x - behind * 12, height: bottom - top + behind * deck };
    return <rect key={at} class={`${behind ? "deck" : "card"} ${stack}`} {...place} rx={8} />;
  });
}

// An attention with its heads as index tabs; the current one is highlighted.
function attentionBlock({ place, tabs, tab, bottom }: Layout, kind: Kind, heads: number, head: number) {
  const { x, end } = place[kind];
  const wide = (end - x) / heads;
  const gap = wide > 8 ? 2 : 0.5;
  const flat = Math.max(wide - gap - 6, 0);
  const [up, top] = [tab - 2, tabs + tab];
  const shape = (index: number) => `M${x + index * wide + gap / 2} ${top + 1}v-${up}q0 -3 3 -3h${flat}q3 0 3 3v${up}z`;
  return (
    <g key={kind}>
      {Array.from({ length: heads }, (_, index) => (
        <path key={index} class={index === head ? "tab highlighted" : "tab"} d={shape(index)} />
      ))}
      <rect class="block" x={x} y={top} width={end - x} height={bottom - 4 - top} rx={3} />
    </g>
  );
}

// A block that works on each row by itself, with its active hidden units.
function tower({ text, names, bottom }: Layout, { x, width }: Span, name: string) {
  const words = { x: x + width / 2, y: names + text, "text-anchor": "middle", "font-size": text, "font-weight": 600 } as const;
  return (
    <>
      <rect class="block" x={x} y={names + text + 8} width={width} height={bottom - names - text - 12} rx={6} />
      <text {...words} children={name} />
    </>
  );
}

// The range of tokens in sight on each side that is not fully visible; in little room, of the longer side only.
function sightOf({ pitch, view, scrolled, encoder }: Layout, top: number, data: Overview, wide: Wide) {
  const tops = scrolled(top);
  const ranges = SIDES.map((side) => {
    const all = data[side].length;
    if (all * pitch <= view + 1) return "";
    const [first, last] = [Math.round(tops[side] / pitch), Math.round((tops[side] + view) / pitch)];
    const words = fill(data.texts.tokens_in_sight[side], { first: first + 1, last: Math.min(last, all), all });
    return [first > 0 && "↑", words, last < all && "↓"].filter(Boolean).join(" ");
  });
  const both = ranges.filter(Boolean).join(" · ");
  const fits = wide(both, READABLE) <= encoder.end - encoder.tokens.x;
  return fits ? both : nth(ranges, data.S < data.T ? 1 : 0);
}

// The ribbons of an attention, from the keys to the query that attends to them. A ribbon's thickness is its weight: those that
// enter a row fill it, since they add up to 1. Weights under 2 % are drawn only if among the row's three strongest.

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
