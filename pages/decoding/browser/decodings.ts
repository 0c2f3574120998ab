// Non-autoregressive decoding beside decoding token by token: both outputs, their steps and times; the lengths that were tried. The
// limits of other decodings.

import { below, type Section } from "../../../viz_core/browser/kit/below";
import { fetched, siblingOf } from "../../../viz_core/browser/kit/data";
import { escaped, fill, percent, signed } from "../../../viz_core/browser/kit/numbers";
import { columnOf, nth, readTensors, sliceOf } from "../../../viz_core/web/src/payload";
import { textsIn } from "../../../viz_core/web/src/texts";
import type { About } from "./passes";

const texts = textsIn("decoding.decodings");
const counts = textsIn("decoding.passes_figure");

const times = new Map<string, number[]>(); // by address: the seconds of both decodings, none until they are measured

// The seconds at an address; calls `arrived` once they are known.
function secondsAt(address: string, arrived: () => void) {
  const known = times.get(address);
  if (known) return known;
  times.set(address, []);
  fetched(address).then((answer) => {
    if (!(answer instanceof Uint8Array)) return;
    times.set(address, readTensors<{ seconds: number[] }, never>(answer).about.seconds);
    arrived();
  });
  return [];
}

type Compared = Pick<About, "settings" | "beside" | "tried" | "text"> & { seconds: readonly number[] };
/** same: how many tokens are greedy's after each pass; chances, means: of each length. */
type Numbers = { same: readonly number[]; tokens: number; chances: readonly number[]; means: readonly number[] };

/** The sections in Markdown, by name. */
export function textsOf({ settings, beside, tried, text, seconds }: Compared, { same, tokens, chances, means }: Numbers) {
  const passes = fill(same.length === 1 ? counts.one_pass : counts.more_passes, { passes: same.length });
  const name = escaped(beside.name);
  const outputs = {
    ...{ filled: escaped(text), written: escaped(beside.text), name, passes },
    steps: fill(texts.steps, { steps: beside.steps }),
  };
  if (!settings.masked) {
    const reached = same.indexOf(tokens) + 1;
    const fate = reached
      ? fill(texts.reached, { count: reached, steps: beside.steps })
      : fill(texts.not_reached, { same: same.at(-1), tokens });
    return {
      ignored: settings.ignored ? texts.own_words : "",
      outputs: fill(texts.beside_plain, outputs),
      fate: settings.whole ? texts.whole : fate,
    };
  }
  const [own = 0, other = 0] = seconds;
  const [time, by_token] = [own, other].map((each) => (each ? `${(1000 * each).toFixed(1)} ms` : "…"));
  const shape = beside.alike ? texts.same_shape : texts.other_shape;
  const row = ([length, of]: About["tried"][number], at: number) =>
    fill(texts.length_row, {
      tokens: length,
      chance: percent(nth(chances, at)),
      mean: signed(nth(means, at), 3),
      text: escaped(of),
    });
  return {
    ignored: settings.ignored ? texts.unedited : "",
    outputs: fill(texts.beside, { ...outputs, time, other: by_token }),
    ratio: other ? fill(texts.ratio, { ratio: (own / other).toFixed(2), name, shape }) : "",
    lengths: Number.isNaN(chances[0])
      ? fill(texts.length_known, { tokens, name })
      : fill(texts.lengths, { count: tried.length, rows: tried.map(row).join("\n") }),
  };
}

export const mountDecodings = below<About, "hidden" | "tried">(({ about, tensors }, _, store, { address = "" }) => {
  const { shape } = tensors.hidden;
  const [passes = 0, tokens = 0] = shape;
  const same = Array.from({ length: passes }, (_, pass) => sliceOf(tensors.hidden, pass).filter((hidden) => !hidden).length);
  const [chances, means] = [columnOf(tensors.tried, 0), columnOf(tensors.tried, 1)];
  const seconds = about.settings.masked ? secondsAt(siblingOf(address, "decoding_times"), store.repaint) : [];
  return sectionsOf(textsOf({ ...about, seconds }, { same, tokens, chances, means }));
});

const sectionsOf = (all: Record<string, string | undefined>): Section[] =>
  Object.entries(all).flatMap(([name, text]) => (text ? [{ name, text }] : []));

const limits = textsIn("decoding.limits");

/** forced: each token with its step. */
type Limits = { stops: number; typed: boolean; forced: [token: string, step: number][] };

/** What limits a decoding, in Markdown. */
export function limitsOf({ stops, typed, forced }: Limits) {
  const tokens = forced.map(([token, step]) => fill(limits.forced_at, { token: escaped(token), step }));
  return {
    stops: stops ? fill(limits.stops, { steps: stops }) : "",
    typed: typed ? limits.typed : "",
    forced: tokens.length ? fill(limits.forced, { tokens: tokens.join(textsIn("joined").list) }) : "",
  };
}

export const mountDecodingLimits = below<Limits>(({ about }) => sectionsOf(limitsOf(about)));
