// The share of each source word in the written token by attention rollout, and its difference from the mean of all steps.

import { type Figure, figure, type View } from "../../../viz_core/web/src/figure";
import { entryAt } from "../../../viz_core/web/src/payload";
import { type Rolled, readRollout } from "./attention_rollout";
import { type Spot, type WordScores, bestOf, readingOf, wordBars } from "./word_bars";

function sharesAt({ words, written, shares, say: all }: Rolled, view: View) {
  const say: typeof all = (name, values) => all(`word_shares.${name}`, values);
  const step = Math.min(view.step, written.length - 1);
  const { own, excess } = shares(step);
  const scores: WordScores[] = [
    { name: say("rolled"), unit: say("unit_rolled"), values: own, best: bestOf(own) },
    { name: say("excess"), unit: say("unit_excess"), values: excess, best: bestOf(excess) },
  ];
  return { say, step, word: entryAt(written, step), words, scores };
}

type Shown = ReturnType<typeof sharesAt>;

const reading = ({ words, scores, say }: Shown, spot: Spot | null) => readingOf(words, scores, say, spot);

export const rolloutShares: Figure<Rolled, Shown, Spot> = {
  heights: [200, 3000],
  read: readRollout,
  at: sharesAt,
  scene: ({ words, scores, say }, room) => wordBars(words, scores, say, room),
  reading,
  values: ({ word, step }) => ({ word, step: step + 1 }),
};

export const mountRolloutShares = figure(rolloutShares);
