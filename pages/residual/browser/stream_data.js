// The residual stream of one stack: the length of each token's vector at each place, and of what was added there; and what of
// it is shown of one token.

import { fill } from "../../../viz_core/browser/kit/numbers.js";
import { readTensors } from "../../../viz_core/browser/kit/payload.js";

const HEADROOM = { lengths: 1.4, added: 1.35 }; // the end of an axis, as a multiple of the token's largest number
const NAMED = 3; // of the tokens that leave the figure, so many are named

// payload: of pages/residual/stream.py.
export function readStream(payload) {
  const { about, tensors } = readTensors(payload);
  const [places, tokens] = tensors.lengths.shape;
  const perToken = ({ data }) =>
    Array.from({ length: tokens }, (_, token) => Array.from({ length: places }, (_, at) => data[at * tokens + token]));
  const [lengths, added] = [perToken(tensors.lengths), perToken(tensors.added)];
  const peaks = lengths.map((own) => Math.max(...own));
  // whether there is a token beside which another one leaves the figure: the note then has its place for all tokens
  const noted = Math.min(...lengths.map((own) => endOf(own, HEADROOM.lengths))) < Math.max(...peaks);
  const numbers = [...lengths, ...added].flat().filter(Number.isFinite);
  const written = [...new Set(numbers.map(brief))]; // beside the marks of any token
  return { about, places, tokens, lengths, added, peaks, noted, written };
}

// Both axes end a little above the token's largest number: at ⟨/s⟩ a vector can be seven times as long as elsewhere, and would
// flatten all other curves. sublayer: the picked one. { token, count (so many tokens are drawn), place (behind that sub-layer),
// ends: { lengths, added }, beyond }
export function streamAt(stream, view, sublayer) {
  const { about, tokens, lengths, added } = stream;
  const walked = about.stack === "encoder" ? view.token : view.step;
  const token = Math.min(walked, tokens - 1);
  const count = about.stack === "encoder" ? tokens : token + 1; // of the decoder, those that it has read
  const ends = { lengths: endOf(lengths[token], HEADROOM.lengths), added: endOf(added[token], HEADROOM.added) };
  // the first of its places: with post-norm, LayerNorm follows
  const place = about.stops.findIndex(({ layer }, at) => layer === view.layer && about.sublayers[at] === sublayer);
  return { token, count, place: Math.max(place, 0), ends, beyond: beyondOf(stream, count, ends.lengths) };
}

// An axis must have some length, also where no number is above 0.
function endOf(values, headroom) {
  return headroom * (Math.max(0, ...values.filter(Number.isFinite)) || 1);
}

// Which tokens' lines leave the axis and how far they go, the longest first; empty where none does.
function beyondOf({ about, peaks }, count, end) {
  const { texts, tokens } = about;
  const leaving = [...Array(count).keys()].filter((at) => peaks[at] > end).sort((a, b) => peaks[b] - peaks[a] || a - b);
  const named = leaving.slice(0, NAMED);
  const parts = named.map((at) => fill(texts.beyond_token, { token: tokens[at], length: brief(peaks[at]) }));
  const rest = leaving.slice(NAMED);
  if (rest.length) parts.push(fill(texts.beyond_more, { count: rest.length, length: brief(peaks[rest[0]]) }));
  return parts.length ? fill(texts.beyond, { tokens: parts.join(texts.beyond_between) }) : "";
}

// A length beside its mark.
export function brief(value) {
  return value.toFixed(value >= 9.95 ? 0 : 1);
}

// In words, of one token at one place: the length of its vector, and with `alone` not also of what was added.
export function readingAt({ about, lengths, added }, token, place, alone = false) {
  const { texts, tokens, stops } = about;
  const values = { token: tokens[token], stop: stops[place].name };
  const after = fill(texts.after, { ...values, length: lengths[token][place].toFixed(2) });
  const brought = added[token][place];
  if (alone || Number.isNaN(brought)) return after;
  return `${after}    ${fill(texts.adds, { ...values, length: brought.toFixed(2) })}`;
}

// Round numbers from 0 to the end of an axis, at most so many steps.
export function ticksTo(end, most = 5) {
  const unit = 10 ** Math.floor(Math.log10(end / most));
  const step = [1, 2, 5, 10].map((times) => times * unit).find((size) => end / size <= most);
  return Array.from({ length: Math.floor(end / step) + 1 }, (_, at) => Number((at * step).toPrecision(12)));
}
