// How much is generated and copied at each step, as `copied_tokens` in pages/decoding/copying_compute.py.

import { changesOf, greedyOf } from "../analysis/search";
import { marked, runsOf } from "../analysis/words";
import { copySteps } from "../decoding/copying";
import { argmax } from "../tensor";
import { idsOf, type Tokenized } from "../tokenizer/base";
import { visible } from "../tokenizer/text";
import { doubles, labelsOf, lacking, pack, type Scene, vocabularyLabel } from "./view";

export function copiedTokens(scene: Scene) {
  const { model, explanation, target, gate } = scene;
  const source = idsOf(explanation.source);
  const steps = gate ? copySteps(model, gate, source, changesOf(scene, explanation)) : [];
  const each = steps.map(({ id, gate: sum, terms, logVocab, logProbs, ...rest }) => {
    const alone = argmax(logVocab);
    const [p, vocab, other] = [logProbs[id], logVocab[id], logVocab[alone]].map((log = 0) => Math.exp(log)) as number[];
    return { ...rest, id, alone, terms, probabilities: [p, vocab, 1 / (1 + Math.exp(-sum)), other] as number[] };
  });
  const greedy = greedyOf(scene, explanation);
  const known = each.every(({ probabilities: [p, , gen] }) => Number.isFinite(p) && Number.isFinite(gen));
  if (!each.length || !known || !Number.isFinite(greedy.totals.at(-1))) throw lacking(scene, "copied_tokens");
  const label = (id: number) => visible(vocabularyLabel(target.tokenizer, id));
  const ids = each.map(({ id }) => id);
  const [plain, copying] = [greedy.ids, ids].map((each) => target.tokenizer.read(each, target.split)) as [Tokenized, Tokenized];
  const lost = runsOf(...([plain, copying].map(({ words }) => words.map(({ text }) => text)) as [string[], string[]]));
  const about = {
    sentences: [marked(plain, plain), marked(plain, copying)],
    total: greedy.totals.at(-1),
    above: greedy.ids.join() === idsOf({ ...plain, tokens: explanation.output }).join(),
    lost: lost
      .flatMap(({ a: [start, end], b: [from, to] }) => (from === to ? plain.words.slice(start, end) : []))
      .map(({ text }) => visible(text)),
    written: labelsOf(copying.tokens),
    source: labelsOf(explanation.source.tokens),
    tokens: each.map(({ id, alone }) => [label(id), alone === id ? "" : label(alone)]),
    sources: ids.map((id) => [...source.keys()].filter((at) => source[at] === id)),
    text: visible(target.tokenizer.decode(ids)),
    follow: gate?.get("follow").data[0],
    steps: explanation.output.length,
  };
  const tensors = {
    probabilities: doubles(each.map(({ probabilities }) => probabilities)),
    terms: doubles(each.map(({ terms }) => terms)),
    a: doubles(each.map(({ a }) => a)),
    mix: doubles(each.map(({ mix }) => mix)),
  };
  return pack(tensors, about);
}
