// Masked attention with and without the causal mask, as `mask_removed` in pages/masked_attention/data.py.

import { readEdits } from "../edit_table";
import { tracedPass } from "../explain";
import { sideBySidePayload } from "./side_by_side";
import { idsOf } from "../tokenizer/base";
import type { Scene } from "./view";

export function maskRemoved(scene: Scene) {
  const words = scene.words("masked_attention");
  const [real, edited] = [
    { name: words.real_run, scene },
    { name: words.edited_run, scene: withoutMask(scene) },
  ];
  return sideBySidePayload(real, edited, "masked", { alone: true, whole: true });
}

/** The same sentence and target, run again without the causal mask in any layer. */
function withoutMask({ explanation, ...rest }: Scene): Scene {
  const table = readEdits("no_causal_mask");
  const trace = tracedPass(rest.model, idsOf(explanation.source), idsOf(explanation.target), table);
  return { ...rest, explanation: { ...explanation, trace, table } };
}
