// The residual stream of one stack: the length of each token's vector after each sub-layer, and what each adds to the focused token's.

import { grouped, number, percent, escaped } from "../../../viz_core/browser/kit/numbers";
import { READABLE, widestText } from "../../../viz_core/browser/kit/pen";
import { type Figure, type View, figure, walkOf, walkTokens } from "../../../viz_core/web/src/figure";
import { APART, UPRIGHT, columnNames, groups, uprightAxis } from "../../../viz_core/web/src/marks/axis";
import { bars, numbers, dots, place, tag, text, lines, nearest } from "../../../viz_core/web/src/marks/shapes";
import { columnOf, entryAt, nth, readPayload, sliceOf } from "../../../viz_core/web/src/payload";
import { textsIn } from "../../../viz_core/web/src/texts";
import { band, endAbove, linear, stacked } from "../../../viz_core/web/src/marks/scale";

const NAMED = 3; // tokens beyond the axis that are named
const [NOTE, HEAD, BETWEEN] = [28, 30, 12]; // px: the note on these tokens, the names of layers, between the plots
const LEAST = { column: 22, width: 640 }; // px; slanted names do not touch

type Stop = { kind: "input" | "add" | "norm"; layer: number | null; block: string };
type About = { stack: string; stops: Stop[]; sublayer: string; tokens: string[] };
const names: Record<string, string> = textsIn("residual.stops");
type Stream = ReturnType<typeof readStream>;
type Spot = { at: number; token: Stream["tokens"][number] };

const brief = (value: number) => value.toFixed(value >= 9.95 ? 0 : 1);
const pickOf = (stop?: Stream["stops"][number]) =>
  stop && stop.layer !== null ? { layer: stop.layer, sublayer: stop.sublayer } : null;

/** payload: from pages/residual/stream.py. The axes end a little above the focused token's largest number: the vector of ⟨/s⟩ can be
 * seven times as long as the others and would flatten their curves. */
export function readStream(payload: Uint8Array) {
  const { about, tensors, say } = readPayload<About, "lengths" | "added" | "largest">(payload, textsIn("residual.lengths"));
  const tokens = about.tokens.map((label, index) => {
    const [lengths, added] = [columnOf(tensors.lengths, index), columnOf(tensors.added, index)];
    const ends = { lengths: endAbove(lengths, 1.4), added: endAbove(added, 1.35) };
    return { label, index, lengths, added, ends, peak: Math.max(...lengths) };
  });
  const stops = about.stops.map(({ kind, layer, block }) => {
    const sublayer = block && `${about.stack}_${block}`;
    const ending = block === "embedding" ? "embedding_norm" : kind === "norm" && layer === null ? "final_norm" : kind;
    return { layer, sublayer, name: names[kind === "add" ? sublayer : ending] ?? "" };
  });
  return { ...about, stops, tokens, largest: tensors.largest, say };
}

/** One token. at: the first stop after the picked sub-layer; beyond: a note on the tokens beyond the axis. */
export function streamAt(stream: Stream, view: View) {
  const { stack, stops, tokens, say } = stream;
  const own = entryAt(tokens, view[walkOf(stack)]);
  const read = stack === "encoder" ? tokens : tokens.slice(0, own.index + 1); // the decoder has not read later tokens
  const at = stops.findIndex(({ layer, sublayer }) => layer === view.layer && sublayer === view.sublayer);
  const leaving = read.filter(({ peak }) => peak > own.ends.lengths).sort((a, b) => b.peak - a.peak || a.index - b.index);
  const words = ({ label, peak }: typeof own) => say("beyond_token", { token: label, length: brief(peak) });
  const parts = leaving.slice(0, NAMED).map(words);
  const next = leaving[NAMED];
  if (next) parts.push(say("beyond_more", { count: leaving.length - NAMED, length: brief(next.peak) }));
  const beyond = parts.length ? say("beyond", { tokens: parts.join(say("beyond_between")) }) : "";
  return { ...stream, own, read, at: Math.max(at, 0), beyond };
}

/** The length at a stop, and for the focused token what was added there. */
function reading({ own, at, stops, say }: ReturnType<typeof streamAt>, spot: Spot = { at, token: own }) {
  const { label, lengths, added } = spot.token;
  const words = (name: string, [value = Number.NaN]: number[]) =>
    say(name, { token: label, stop: stops[spot.at]?.name, length: value.toFixed(2) });
  const parts = [words("after", lengths.slice(spot.at))];
  if (spot.token === own && !Number.isNaN(added[spot.at])) parts.push(words("adds", added.slice(spot.at)));
  return parts.join("    ");
}

export const residualStream: Figure<Stream, ReturnType<typeof streamAt>, Spot> = {
  heights: [400, 560],
  shared: "residual_stream",
  read: readStream,
  at: streamAt,
  own: ({ sublayer }) => ({ sublayer }),
  asks: ({ sublayer }) => ({ [`sublayer_${String(sublayer).split("_")[0]}`]: String(sublayer) }),
  scene({ stops, tokens, own, read, at, beyond, say }, { w, h }, hovered) {
    const written = tokens.flatMap(({ lengths, added }) => [...lengths, ...added]).filter(Number.isFinite);
    const room = widestText([...new Set(written.map(brief)), "100"], false); // the same for all tokens
    const left = UPRIGHT + room + APART;
    const width = Math.max(w, LEAST.width, left + stops.length * LEAST.column + 4);
    const x = band(stops.length, [left, width - 4]);
    const names = columnNames(
      stops.map(({ name }) => name),
      x.step,
    );
    const top = Math.min(...tokens.map(({ ends }) => ends.lengths)) < Math.max(...tokens.map(({ peak }) => peak)) ? NOTE : 0;
    const [upper, lower] = stacked(top + HEAD, h - top - HEAD - names.height, [0.62, 0.38], BETWEEN);
    const [y, low] = [linear([0, own.ends.lengths], upper), linear([0, own.ends.added], lower)];
    const curves = (some: Spot["token"][]) => some.map(({ lengths }) => lengths);
    const other = hovered && hovered.token !== own ? hovered : null;
    const axis = { across: x.range, grid: true };
    const layerOf = stops.map(({ layer }) => layer);
    const layers = { picked: stops[at]?.layer ?? null, name: (layer: number) => say("layer", { layer: layer + 1 }) };
    return {
      width,
      height: h,
      sight: [x.start(at), x.start(at + 1)],
      marks: [
        place({ x: left, y: top, w: width - left - 4, h: h - top }, (px) => ({ at: x.at(px), token: own })),
        groups(x, layerOf, { ...layers, top, foot: lower[0], head: HEAD }),
        uprightAxis(y, { ...axis, title: say("length_axis") }),
        uprightAxis(low, { ...axis, title: say("added_axis") }),
        nearest(x, y, curves(read), (stop, token) => ({ at: stop, token: entryAt(read, token) })),
        lines(x, y, curves(read.filter((token) => token !== own)), { stroke: "quiet", width: 1.5, alpha: 0.4 }),
        other && lines(x, y, curves([other.token]), { stroke: "ink", width: 2.5 }),
        lines(x, y, curves([own]), { stroke: "accent", width: 5 }),
        dots(x, y, own.lengths, "accent"),
        numbers(x, y, own.lengths, { write: brief, above: READABLE, room, halo: "surface", joined: true }),
        other && tag(other.token.label, x(other.at), y(entryAt(other.token.lengths, other.at)), x.range),
        bars(x, low, own.added, { ink: "output", picked: at, outlined: true }),
        numbers(x, low, own.added, { write: brief, above: 12, room, picked: at }),
        names.at(x, lower[0], at),
        text(beyond, left, NOTE / 2, { max: width - 4 - left }),
      ],
    };
  },
  reading: (shown, spot) => reading(shown, spot ?? undefined),
  values: ({ stops, own, at, beyond, say }) => ({
    token: own.label,
    layer: say("layer", { layer: (stops[at]?.layer ?? 0) + 1 }),
    beyond,
  }),
  // The addition of the picked sub-layer.
  below({ own, at, stops, largest }, write) {
    const layer = stops[at]?.layer ?? 0;
    const [dim = 0, x = 0, brings = 0, total = 0, directed = 0] = sliceOf(largest, layer, own.index);
    const cosine = Math.min(Math.max(directed, -1), 1);
    return {
      token: escaped(own.label),
      layer: layer + 1,
      dim: grouped(dim + 1),
      x: number(x),
      brings: number(brings),
      total: number(total),
      before: number(nth(own.lengths, at - 1)),
      added: number(nth(own.added, at)),
      after: number(nth(own.lengths, at)),
      cosine: number(cosine),
      angle: ((Math.acos(cosine) * 180) / Math.PI).toFixed(0),
      new: percent(Math.sqrt(1 - cosine ** 2)),
      old: percent(Math.abs(cosine)),
      direction: write(cosine >= 0 ? "along" : "against"),
    };
  },
  pick: ({ stops }, { at }) => pickOf(stops[at]),
  // Across to the next sub-layer (with post-norm its LayerNorm belongs to it), down to the next token.
  keys({ stack, stops, tokens, own, at }) {
    const isFirst = ({ layer, sublayer }: (typeof stops)[number], before = stops[-1]) =>
      layer !== before?.layer || sublayer !== before.sublayer;
    const places = stops.filter((stop, index) => stop.layer !== null && isFirst(stop, stops[index - 1]));
    const here = places.indexOf(entryAt(stops, at));
    const across = { at: here, count: places.length, to: (index: number) => pickOf(places[index]) };
    return { across, down: walkTokens(stack, own.index, tokens.length) };
  },
};

export const mountResidualStream = figure(residualStream);
