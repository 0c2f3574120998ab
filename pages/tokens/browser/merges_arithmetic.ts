// The last merge of the focused word that is shown, from the data of the figure above.

import { below } from "../../../viz_core/browser/kit/below";
import { clauses, grouped } from "../../../viz_core/browser/kit/numbers";
import { escaped, latex } from "../../../viz_core/browser/kit/prose";
import { type Side, tokenOf, wordOf } from "./data";
import type { Data } from "./merges";

const LISTED = 24; // tokens of a word that are written out

const tex = (text: string) => `\\text{${latex(text)}}`;

/** payload: from pages/tokens/merging.py, only texts. */
export const mountMergesArithmetic = below<{ side: Side }>(({ about, say }, view, { given }) => {
  const data = given.merges as Data | undefined;
  if (data?.side !== about.side) return null; // the data are on their way
  const built = data.words[wordOf(data.counts, tokenOf(about.side, view))];
  if (!built) return [];
  const { word, merges, tokens } = built;
  const done = Math.min(data.done, merges.length);
  const [, rank = 0, joined = "", pairs = []] = merges[done - 1] ?? [];
  const listed = tokens.slice(0, LISTED).map(([text]) => tex(text));
  const ids = clauses(tokens.map(([, id]) => String(id)));
  const text = say(done ? "arithmetic" : "arithmetic_none", {
    step: done,
    steps: merges.length,
    ranks: pairs
      .map(([left, right, its]) => say("rank", { left: tex(left), right: tex(right), rank: grouped(its) }))
      .join(",\\quad "),
    rank: grouped(rank),
    joined: tex(joined),
    word: escaped(word),
    tokens: [...listed, ...(tokens.length > LISTED ? ["\\dots"] : [])].join("\\;"),
    ids: say(tokens.length === 1 ? "the_id" : "the_ids", { ids }),
  });
  return [{ name: "arithmetic", heading: say("heading"), text }];
});
