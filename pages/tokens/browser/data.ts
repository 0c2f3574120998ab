// The words of one side with their characters and tokens, from pages/tokens/splitting.py and merging.py: which token is focused, and which
// are still to be guessed.

import { guessedFrom } from "../../../viz_core/web/src/view";
import type { View } from "../../../viz_core/web/src/ui/store";

export type Side = "source" | "target";

// The focused token: of the source the chosen one; of the target, which begins with a start token, the one that this step writes.
export const tokenOf = (side: Side, { token, step }: View) => (side === "source" ? token : step + 1);

// The change of the view that focuses a token; null if it cannot be focused.
export function lookAt(side: Side, token: number): Partial<View> | null {
  if (side === "source") return { token };
  return token > 0 ? { step: token - 1 } : null;
}

// How many tokens, from the first, may be shown.
export const knownTokens = (side: Side, view: View) => (side === "source" ? Infinity : guessedFrom(view) + 1);

// The index of the word that contains a token. counts: tokens per word.
export function wordOf(counts: number[], token: number) {
  let end = 0;
  const at = counts.findIndex((count) => {
    end += count;
    return token < end;
  });
  return at < 0 ? counts.length - 1 : at;
}
