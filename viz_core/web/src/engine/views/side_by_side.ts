// The same attention of two explanations, as `side_by_side` in viz_core/app/data_views.py.

import { readEdits } from "../edits";
import { tracedPass } from "../explain";
import { idsOf } from "../tokenizer/base";
import { visible } from "../tokenizer/text";
import { attentionPayload } from "./attention";
import { onLeftOutput, sidesOf as sides } from "./comparison";
import { type Kind, labelOf, pack, type Scene, type Sent, type Step, stepsOf } from "./view";

/** Both sides, or right − left. same: whether the right side reads the left output. */
export function sideBySide(scene: Scene, asked: URLSearchParams) {
  const [kind, says] = [asked.get("kind") as Kind, (name: string) => asked.get(name) === "yes"];
  const [left, right] = sides(scene, asked.get("pair"));
  const other = says("same") ? { ...right, scene: onLeftOutput(left, right) } : right;
  return sideBySidePayload(left, other, kind, { difference: says("difference"), alone: says("alone") });
}

/** One of two attentions with its heading. */
export type Attended = { name: string; scene: Scene };

/** Of a step the token read, the next one, and its probability on both sides. */
type Predicted = readonly [read: string, next: string, left: number, right: number];

/** difference: right − left, which the figure subtracts word by word; alone: the page shows nothing else; whole: as for one. */
export function sideBySidePayload(
  left: Attended,
  right: Attended,
  kind: Kind,
  { difference = false, alone = false, whole = false, predicted = null as Predicted[] | null },
) {
  const packed = ({ scene }: Attended): Sent => {
    const data = attentionPayload(scene, kind, { whole });
    return { shape: [data.length], data };
  };
  return pack({ left: packed(left), right: packed(right) }, { names: [left.name, right.name], alone, difference, predicted });
}

// Masked attention with and without the causal mask, as `mask_removed` in pages/masked_attention/masks.py.

export function maskRemoved(scene: Scene) {
  const words = scene.words("masked_attention");
  const [real, edited] = [
    { name: words.real_run, scene },
    { name: words.edited_run, scene: withoutMask(scene) },
  ];
  const [before, after] = [real, edited].map(({ scene }) => stepsOf(scene.explanation)) as [Step[], Step[]];
  const predicted = before.map(({ read, expected, logProbs }, at) => {
    const [left, right] = [logProbs, after[at]?.logProbs].map((each) => Math.exp(each?.[expected.id] ?? Number.NaN));
    return [visible(labelOf(read)), visible(labelOf(expected)), left as number, right as number] as const;
  });
  return sideBySidePayload(real, edited, "masked", { alone: true, whole: true, predicted });
}

/** The same sentence and target, run again without the causal mask in any layer. */
function withoutMask({ explanation, ...rest }: Scene): Scene {
  const table = readEdits("no_causal_mask");
  const trace = tracedPass(rest.model, idsOf(explanation.source), idsOf(explanation.target), table);
  return { ...rest, explanation: { ...explanation, trace, table } };
}
