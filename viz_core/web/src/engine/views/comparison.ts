// Two outputs, step by step, as `comparison_payload` in viz_core/browser/output_payload.py.

import { divergence } from "../analysis/divergence";
import { runsOf } from "../analysis/runs";
import { row, type Tensor } from "../tensor";
import { isBlank, signsOf, visible } from "../tokenizer/text";
import { passOverLeft, type Side, sidesOf } from "./sides";
import { labelled, restOf, topIds, written } from "./tokens";
import { floats, integers, pack, type Scene, type Sent, siteOf } from "./view";

const TOP = 5; // bars of a step and side

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
  if (compared)
    tensors.divergence = floats(
      [steps.length],
      steps.map((step) => divergence(row(logProbs[0], step), row(logProbs[1], step))),
    );
  const ids = (["left", "right"] as const).map((name, at) => {
    const { output } = (compared ? left : (sides[at] as Side)).scene.explanation;
    const top = output.map(({ id }, step) => [...topIds(row(logProbs[at] as Tensor, step), TOP), id]);
    const shape = [top.length, top[0]?.length ?? 0];
    tensors[`${name}_ids`] = integers(shape, top.flat());
    for (const [whose, of] of [
      ["own", at],
      ["other", 1 - at],
    ].slice(0, compared ? 2 : 1) as [string, number][]) {
      const rows = top.map((_, step) => row(logProbs[of] as Tensor, step));
      tensors[`${name}_${whose}`] = floats(
        shape,
        top.flatMap((ids, step) => ids.map((id) => rows[step]?.[id] as number)),
      );
      tensors[`${name}_${whose}_rest`] = floats(
        shape.slice(0, 1),
        rows.map((each, step) => restOf(each, top[step] as number[])),
      );
    }
    return top.flat();
  });
  const about = {
    sides: sides.map((side, at) => aboutSide(side, ids[at] as number[], changedWords(sides, at))),
    compared,
    written: written(left.scene.explanation),
    texts: scene.words("browser.comparison"),
  };
  return pack(tensors, about);
}

/** Whether each word of one side differs from the other side's. */
function changedWords(sides: readonly Side[], at: number) {
  const [before, after] = sides.map(({ scene }) => scene.explanation.target.words.map(({ text }) => text)) as [string[], string[]];
  return runsOf(before, after).flatMap(({ same, a, b }) => {
    const [start, end] = at ? b : a;
    return Array<boolean>(end - start).fill(!same);
  });
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
