// Two explanations side by side: of two sentences, of two models, or of a model as trained and edited, as viz_core/app/sides.py.

import { fill } from "../../payload";
import { type Explanation, tracedPass } from "../explain";
import type { Trace } from "../taps";
import { signsOf, visible } from "../tokenizer/text";
import { describe } from "./edit_words";
import { idsOf } from "../tokenizer/base";
import type { Scene } from "./view";

const MOST_LETTERS = 60; // of a sentence above its side

/** One of the two. details: sentences below its title. */
export type Side = { name: string; scene: Scene; details: string[] };

/** Both sides, each with its heading. */
export function sidesOf(left: Scene, pair: string | null): [Side, Side] {
  const { words, right } = left;
  if (!right) throw new Error("the address lacks a right side");
  if (pair === "edits") {
    const { trained, edited, nothing } = words("app.sides");
    const details = describe(right.explanation.table, words);
    return [
      { name: trained, scene: left, details: [] },
      { name: edited, scene: right, details: details.length ? details : [nothing] },
    ];
  }
  const side = (scene: Scene): Side =>
    pair === "sentences"
      ? { name: shortened(visible(scene.explanation.source.text)), scene, details: [] }
      : { name: scene.name, scene, details: [fill(words("compare").shape, shapeOf(scene))] };
  return [side(left), side(right)];
}

const passes = new WeakMap<Explanation, { over: Explanation; trace: Trace }>(); // the last pass of each right side

/** The right side's pass over the left side's output, once for both figures of a page. */
export function passOverLeft({ scene: left }: Side, { scene: right }: Side): Trace {
  const { source, table } = right.explanation;
  const known = passes.get(right.explanation);
  if (known?.over === left.explanation) return known.trace;
  const trace = tracedPass(right.model, idsOf(source), idsOf(left.explanation.target), table);
  passes.set(right.explanation, { over: left.explanation, trace });
  return trace;
}

/** The right side, teacher-forced on the left side's output. */
export function onLeftOutput(left: Side, right: Side): Scene {
  const { source, edits, table } = right.scene.explanation;
  const trace = passOverLeft(left, right);
  return { ...right.scene, explanation: { ...left.scene.explanation, source, trace, given: true, notices: [], edits, table } };
}

function shortened(text: string) {
  const signs = signsOf(text);
  return signs.length <= MOST_LETTERS ? text : `${signs.slice(0, MOST_LETTERS).join("")} …`;
}

function shapeOf({ model: { config, weights } }: Scene) {
  const million = (weights.count / 1e6).toFixed(1);
  return { layers: config.n_layers, heads: config.n_heads, d_model: config.d_model, million };
}
