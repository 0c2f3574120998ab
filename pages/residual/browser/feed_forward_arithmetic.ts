// The arithmetic of one hidden unit, from the numbers of the figure above.

import { below } from "../../../viz_core/browser/kit/below";
import { grouped, number } from "../../../viz_core/browser/kit/numbers";
import { escaped } from "../../../viz_core/browser/kit/prose";
import { type Ffn, feedForwardAt } from "./feed_forward";

/** payload: from pages/residual/feed_forward.py, only texts. */
export const mountFeedForwardArithmetic = below<{ stack: string; texts: Record<"activation" | "note", string> }>(
  ({ about, say }, view, { given }) => {
    const ffn = given.feed_forward as Ffn | undefined;
    if (ffn?.stack !== about.stack) return []; // the numbers are on their way
    const { tokens, size, token, units, rank, active, total } = feedForwardAt(ffn, view);
    const picked = units[rank];
    if (!picked) return [];
    const text = say("text", {
      ...about.texts,
      token: escaped(tokens[token] ?? ""),
      unit: grouped(picked.unit + 1),
      product: number(picked.product),
      bias: number(picked.bias),
      hidden: number(picked.strength),
      added: number(picked.length),
      size: grouped(size),
      active: grouped(active),
      total: number(total),
    });
    return [{ name: "arithmetic", heading: say("heading"), text }];
  },
);
