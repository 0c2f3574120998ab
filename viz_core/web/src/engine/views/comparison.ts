// Two explanations, as viz_core/app/sides.py pairs them, and their outputs step by step, as in viz_core/browser/output_payload.py.

import { shortened } from "../../../../browser/kit/numbers";
import { fill } from "../../payload";
import { type Explanation, tracedPass } from "../explain";
import type { Trace } from "../taps";
import { signsOf, visible, isBlank } from "../tokenizer/text";
import { describe } from "./shell";
import { idsOf } from "../tokenizer/base";
import { doubles, type Scene, labelled, restOf, topIds, written, floats, integers, pack, type Sent, siteOf } from "./view";
import { divergence, divergenceTerms } from "../analysis/logits";
import { differing, runsOf } from "../analysis/words";
import { row, type Tensor } from "../tensor";

// Two explanations side by side: of two sentences, of two models, or of a model as trained and edited, as viz_core/app/sides.py.

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
      ? { name: shortened(visible(scene.explanation.source.text), MOST_LETTERS), scene, details: [] }
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

function shapeOf({ model: { config, weights } }: Scene) {
  const million = (weights.count / 1e6).toFixed(1);
  return { layers: config.n_layers, heads: config.n_heads, d_model: config.d_model, million };
}

const TOP = 5; // bars of a step and side
const TERMS = 2; // tokens whose terms of a divergence are written out

/** pair: sentences, models or edits; same: whether both are scored on the left output. */
export function comparison(scene: Scene, asked: URLSearchParams) {
  const sides = sidesOf(scene, asked.get("pair"));
  const compared = asked.get("same") === "yes";
  const [left, right] = sides;
  const logProbs = [left.scene.explanation.trace, compared ? passOverLeft(left, right) : right.scene.explanation.trace].map(
    (trace) => siteOf(trace, "output.log_probs"),
  ) as [Tensor, Tensor];
  const steps = left.scene.explanation.output.map((_, step) => step);
  const tensors: Record<string, Sent> = {};
  const rows = steps.map((step) => [row(logProbs[0], step), row(logProbs[1], step)] as const);
  const terms = rows.map(([p, q]) => (compared ? topIds(divergenceTerms(p, q).map(Math.abs), TERMS) : []));
  if (compared) {
    tensors.divergence = floats(rows.map(([p, q]) => divergence(p, q)));
    tensors.term_ids = integers(terms);
    tensors.terms = doubles(rows.map((both, step) => terms[step]?.map((id) => both.map((of) => Math.exp(of[id] as number))) ?? []));
  }
  const ids = (["left", "right"] as const).map((name, at) => {
    const { output } = (compared ? left : (sides[at] as Side)).scene.explanation;
    const top = output.map(({ id }, step) => [...topIds(row(logProbs[at] as Tensor, step), TOP), id]);
    tensors[`${name}_ids`] = integers(top);
    for (const [whose, of] of [
      ["own", at],
      ["other", 1 - at],
    ].slice(0, compared ? 2 : 1) as [string, number][]) {
      const each = top.map((ids, step) => ({ ids, logs: row(logProbs[of] as Tensor, step) }));
      tensors[`${name}_${whose}`] = floats(each.map(({ ids, logs }) => ids.map((id) => logs[id] as number)));
      tensors[`${name}_${whose}_rest`] = floats(each.map(({ ids, logs }) => restOf(logs, ids)));
    }
    return top.flat();
  });
  const about = {
    sides: sides.map((side, at) => aboutSide(side, [...(ids[at] ?? []), ...(at ? [] : terms.flat())], changedWords(sides, at))),
    compared,
    written: written(left.scene.explanation),
  };
  return pack(tensors, about);
}

/** Whether each word of one side differs from the other side's. */
function changedWords(sides: readonly Side[], at: number) {
  const [before, after] = sides.map(({ scene }) => scene.explanation.target.words.map(({ text }) => text)) as [string[], string[]];
  return differing(runsOf(before, after), at ? "b" : "a");
}

/** tokens: [text, kind] of the token written at each step: special, changed (its word differs) or "". A text begins with a space if
 * the translation has one there. */
function aboutSide({ name, details, scene: { explanation, languages, model, target } }: Side, ids: number[], changed: boolean[]) {
  const signs = signsOf(explanation.text);
  return {
    name,
    details: details.map(visible),
    language: languages[1],
    vocabulary: model.config.target_vocab,
    tokens: explanation.output.map(({ text, word, start }) => {
      const blank = word === null || isBlank(signs[start - 1] ?? "") ? " " : "";
      return [blank + visible(text), word === null ? "special" : changed[word] ? "changed" : ""];
    }),
    labels: labelled(target.tokenizer, ids),
  };
}
