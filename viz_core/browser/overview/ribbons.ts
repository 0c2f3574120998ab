// The ribbons of an attention, from the keys to the query that attends to them. A ribbon is as thick as its weight: all that
// enter a row fill the row, for they add up to 1. Under 2 % only the row's three strongest are drawn.

import { nth } from "../../web/src/payload";
import type { View } from "../../web/src/ui/store";
import { svgEl } from "../kit/dom";
import { ATTENTION_OF } from "../kit/operations";
import { type Flow, type Ribbon, ribbonOutline } from "../lens/travel";
import type { Kind, Overview, Side, Thing } from "./data";
import { KEY_INSET, type Layout, type Span, flowPlan } from "./layout";

const OF_TARGET = new Set(["target", "target_input", "ffn"]); // regions
const SPARE = 3; // rows with ribbons above and below those in view
const FAINT = 0.02;
const ALWAYS = 3;
const HAIR = 0.8; // px: thinner cannot be seen

// How much is seen: of the rows, beside the highlighted one in the encoder, beside one that is pointed at; and of a ribbon's
// filling in it.
export const ROWS = { all: 0.3, self: 0.42, beside: 0.13, pointed: 0.1 };
export const FILLS = { all: 0.75, self: 0.5, highlighted: 0.9 };

/** From, up to. */
export type Range = [from: number, to: number];
/** The middle of a row, and how thick all ribbons are that enter it. */
type Rows = Pick<Layout, "middle" | "thick">;
type Keyed = Ribbon & Record<"query" | "key", number>;
interface Row {
  node: SVGElement;
  paths: Map<number, SVGElement>; // by their keys
  stamp?: string;
}

// Keyed by row and key, updated in place. layout: of the overview; place: of this attention; shift: px that the keys stand below
// their rows' own height.
export function makeRibbons(kind: Kind) {
  const group = svgEl("g", { class: `ribbons ${kind}` });
  const rows = new Map<number, Row>(); // by their queries

  // Rows from…to; weightsOf(query): (Tk,); what stands there already changes in place, the rest goes. stamp: another one for
  // other weights or another layout; a row that has it stays as it is.
  const draw = (
    weightsOf: (query: number) => Float32Array,
    [from, to]: Range,
    layout: Rows,
    place: Span,
    stamp: string,
    shift = 0,
  ) => {
    for (const [query, row] of rows) {
      if (query >= from && query < to) continue;
      row.node.remove();
      rows.delete(query);
    }
    for (let query = from; query < to; query += 1) {
      const row: Row = rows.get(query) ?? { node: svgEl("g", { "data-query": query }), paths: new Map() };
      if (!rows.has(query)) group.append(row.node);
      rows.set(query, row);
      if (row.stamp === stamp) continue;
      row.stamp = stamp;
      drawRow(row, query, ribbonsOfRow(weightsOf(query), query, layout, place, shift), kind);
    }
  };

  const highlight = (query: number) => {
    for (const [index, row] of rows) row.node.classList.toggle("highlighted", index === query);
  };

  // One row, or one ribbon of it, in front of all others; -1: none.
  const point = (query: number, key: number) => {
    group.classList.toggle("pointed", query >= 0);
    for (const [index, { node, paths }] of rows) {
      node.classList.toggle("hot", index === query);
      for (const [column, path] of paths) path.classList.toggle("hot", index === query && column === key);
    }
  };

  return { group, draw, highlight, point };
}

function drawRow(row: Row, query: number, ribbons: Keyed[], kind: Kind) {
  const seen = new Set(ribbons.map(({ key }) => key));
  for (const [key, path] of row.paths) {
    if (seen.has(key)) continue;
    path.remove();
    row.paths.delete(key);
  }
  for (const ribbon of ribbons) {
    const { key } = ribbon;
    const path = row.paths.get(key) ?? Object.assign(svgEl("path"), { viz: { kind, query, key } });
    if (!row.paths.has(key)) row.node.append(path);
    row.paths.set(key, path);
    path.setAttribute("d", ribbonOutline(ribbon));
  }
}

// The keys whose ribbons are drawn.
function strong(weights: Float32Array) {
  const of = (key: number) => nth(weights, key);
  const order = [...weights.keys()].filter((key) => of(key) > 0).sort((a, b) => of(b) - of(a));
  return order.filter((key, rank) => rank < ALWAYS || of(key) >= FAINT);
}

// Those of a query that are drawn, each from the middle of the key's row to its share of the query's row, behind what came
// before it.
function ribbonsOfRow(weights: Float32Array, query: number, { middle, thick }: Rows, { x, end }: Span, shift: number) {
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

// How much of a row's ribbons is seen; highlighted: the row that is, or -1; pointed: the one that is pointed at, or null.
function ribbonAlpha(kind: Kind, query: number, highlighted: number, pointed: number | null) {
  const isLit = query === highlighted;
  const isSelf = kind === "self";
  const filled = isLit ? FILLS.highlighted : isSelf ? FILLS.self : FILLS.all;
  if (query === pointed || (isLit && (isSelf || pointed === null))) return filled;
  if (isSelf && highlighted >= 0) return filled * ROWS.beside;
  if (pointed !== null) return filled * ROWS.pointed;
  return filled * (isSelf ? ROWS.self : ROWS.all);
}

// The rows of an attention that have ribbons; of those in view.
export function rowsWithRibbons(kind: Kind, data: Overview, step: number, [from, to]: Range): Range {
  const last = kind === "self" ? data.S : step + 1;
  return [Math.min(Math.max(0, from - SPARE), last), Math.min(to + SPARE, last)];
}

// By kind [query, key] of the ribbons that are pointed at: of a token all that enter its row.
type Pointed = Partial<Record<Kind, [query: number, key?: number | undefined]>>;
export function pointedRibbons(thing: Thing | null, step: number): Pointed {
  if (thing && "kind" in thing) return { [thing.kind]: [thing.query, thing.key] };
  if (!thing || !("region" in thing)) return {};
  const { region, index } = thing;
  if (region === "keys" || region === "memory") return { cross: [step, index] };
  return OF_TARGET.has(region) ? { masked: [index], cross: [index] } : { self: [index] };
}

/** inView: of the rows in view; scrolled: px of the longer side; hides: what the step's token looks at across is to be guessed;
 * thing: what is pointed at. */
interface Drawn {
  data: Overview;
  at: Layout;
  view: View;
  inView: Record<Side, Range>;
  scrolled: number;
  hides: boolean;
  thing: Thing | null;
}

// What the flow draws of an attention, for the lens into which it travels, in px of the flow; null for another block.
export function flowRibbons(block: string, { data, at, view, inView, scrolled, hides, thing }: Drawn): Flow | null {
  const { step, layer, head } = view;
  const kind = ATTENTION_OF[block] as Kind | undefined;
  if (!kind) return null;
  const across = hides ? new Float32Array() : data.weights("cross", layer, head, step);
  const highlighted = kind === "self" ? across.indexOf(Math.max(...across)) : step;
  const [pointed = null] = pointedRibbons(thing, step)[kind] ?? [];
  const { source, target } = at.scrolled(scrolled);
  const rowsAt = (px: number) => (row: number) => at.head - px + at.middle(row);
  const [queriesAt, keysAt] = [rowsAt(kind === "self" ? source : target), rowsAt(kind === "masked" ? target : source)];
  const shift = keysAt(0) - queriesAt(0);
  const place = at.place[kind];
  const layout = { middle: queriesAt, thick: at.thick };
  const ribbons: Flow["ribbons"] = [];
  const [from, to] = rowsWithRibbons(kind, data, step, inView[kind === "self" ? "source" : "target"]);
  for (let query = from; query < to; query += 1) {
    if (kind === "cross" && hides && query === step) continue;
    const alpha = ribbonAlpha(kind, query, highlighted, pointed);
    const row = ribbonsOfRow(data.weights(kind, layer, head, query), query, layout, place, shift);
    ribbons.push(...row.map((ribbon) => ({ ...ribbon, alpha })));
  }
  const { encoder, decoder, font: size } = at;
  const column = ({ end, width }: Span) => ({ left: end, align: "right", size, max: width, middle: queriesAt }) as const;
  const keys = { ...column(decoder.keys), left: decoder.keys.x + KEY_INSET, align: "left", middle: keysAt } as const;
  const query = column((kind === "self" ? encoder : decoder).tokens);
  return {
    panel: flowPlan(at, block, scrolled).focus,
    view: { y: at.head, h: at.view },
    ribbons,
    tokens: { query, key: kind === "cross" ? keys : query },
  };
}
