// Two sentences in one batch, as `batch_masks` in pages/masked_attention/masks.py.

import { fitted, readEdits } from "../edits";
import { type Explanation, explain, tracedPass } from "../explain";
import { size } from "../tensor";
import { idsOf } from "../tokenizer/base";
import { doubles, labelOf, labelsOf, layersOf, pack, type Scene, siteOf } from "./view";

export function batchMasks(scene: Scene, asked: URLSearchParams) {
  const { model, explanation, target, languages } = scene;
  const { config } = model;
  const texts: Record<string, string[]> = scene.words("masked_attention").partner_text;
  const partner = (texts[languages[0]] ?? texts.en)?.[Number(asked.get("partner")) - 1] as string;
  const pair: Explanation[] = [explanation, explain(scene, partner)];
  const lengths = pair.map((one) => one.target.tokens.length);
  const width = Math.max(...lengths);
  const row = lengths.indexOf(asked.get("sentence") === "shorter" ? Math.min(...lengths) : width);
  const [own, n] = [pair[row], lengths[row]] as [Explanation, number];
  const padded = (ids: readonly number[], length: number) => [...ids, ...Array<number>(length - ids.length).fill(config.pad_id)];
  const longest = Math.max(...pair.map((one) => one.source.tokens.length));
  const [read, written] = [padded(idsOf(own.source), longest), padded(idsOf(own.target), width)];
  const trace = tracedPass(model, read, written, fitted(readEdits(""), config)[0]);
  const changes = [...Array(layersOf(config, "decoder")).keys()].map((layer) => {
    const [alone, together] = [own.trace, trace].map((each) => siteOf(each, `decoder.${layer}.self_attn.weights`).data);
    let [difference, onPadding] = [0, 0];
    for (const [at, weight] of (together as Float32Array).entries()) {
      const [key, query, head] = [at % width, Math.floor(at / width) % width, Math.floor(at / width / width)];
      const before = alone?.[(head * n + query) * n + key] as number;
      if (query < n && key < n) difference = Math.max(difference, Math.abs(weight - before));
      else if (query < n) onPadding = Math.max(onPadding, weight);
    }
    return [difference, onPadding];
  });
  const mask = siteOf(trace, "decoder.0.self_attn.mask");
  const filler = labelOf(target.tokenizer.special(config.pad_id, 0));
  const sentences = pair.map((one) => [
    ...labelsOf(one.target.tokens),
    ...Array<string>(width - one.target.tokens.length).fill(filler),
  ]);
  return pack(
    { open: { shape: [width, size(mask, -1)], data: Uint8Array.from(mask.data) }, changes: doubles(changes) },
    { sentences, lengths, row, which: asked.get("which") },
  );
}
