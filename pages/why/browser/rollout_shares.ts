// The share of each source word in the written token by attention rollout, and its difference from the mean of all steps.

import { figure, type View } from "../../../viz_core/web/src/figure";
import { entryAt } from "../../../viz_core/web/src/payload";
import { type Rolled, readRollout } from "./attention_rollout";
import { bestOf, wordBarsOf } from "./word_bars";

export const rolloutShares = wordBarsOf({
  read: readRollout,
  at({ words, written, shares, say: all }: Rolled, view: View) {
    const say: typeof all = (name, values) => all(`bars.${name}`, values);
    const step = Math.min(view.step, written.length - 1);
    const { own, excess } = shares(step);
    const scores = [
      { name: say("rolled"), unit: say("unit_rolled"), values: own, best: bestOf(own) },
      { name: say("excess"), unit: say("unit_excess"), values: excess, best: bestOf(excess) },
    ];
    return { say, step, word: entryAt(written, step), words, scores };
  },
});

export const mountRolloutShares = figure(rolloutShares);
