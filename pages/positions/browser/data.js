// The chosen dimensions at all positions, as pages/positions/waves.py sends them, and what is said of them.

import { placeOn } from "../../../viz_core/browser/kit/drawing.js";
import { fill, signed } from "../../../viz_core/browser/kit/numbers.js";
import { readTensors, slice } from "../../../viz_core/browser/kit/payload.js";
import { guessedFrom } from "../../../viz_core/browser/kit/store.js";

const DIGITS = 4;

// Returns { about, count, limit, names, fine, points, curves }: count positions; no value lies beyond ± limit; of each lane
// its name, the values at the positions, and those of its curve at `fine`.
export function readWaves(payload) {
  const { about, tensors } = readTensors(payload);
  const rows = (tensor) => about.waves.map((_, lane) => slice(tensor, lane));
  return {
    about,
    count: about.tokens.length,
    limit: about.limit,
    names: about.waves.map((wave) => fill(about.texts[wave.name ? "lane" : "lane_learned"], wave)),
    fine: tensors.fine.data,
    points: rows(tensors.points),
    curves: rows(tensors.curves),
  };
}

export function pickedPlace({ about, count }, view) {
  return Math.min(placeOn(about.side, view), count - 1);
}

// Of each position; a target token is hidden while it is still to be guessed.
export function labelsOf({ about }, view) {
  const { side, texts, tokens } = about;
  const known = side === "target" ? guessedFrom(view) : Infinity; // position 0 is the start, which nobody guesses
  return tokens.map((token, at) => `${at} ${at > known ? texts.hidden : token}`.trim());
}

// What is under the pointer: { at, lane }.
export function readingOf(waves, { at, lane }, view) {
  const value = signed(waves.points[lane][at], DIGITS);
  return fill(waves.about.texts.cell, { label: labelsOf(waves, view)[at], lane: waves.names[lane], value });
}

export function pictureOf(waves, view) {
  const at = pickedPlace(waves, view);
  const values = waves.names.map((name, lane) => `${name}: ${signed(waves.points[lane][at])}`);
  const { texts } = waves.about;
  return fill(texts.picture, { axis: texts.axis, label: labelsOf(waves, view)[at], values: values.join("; ") });
}
