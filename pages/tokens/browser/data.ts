// The words of one side with their characters and tokens, as pages/tokens/splitting.py and merging.py send them: which token is
// looked at, and which are still to be guessed.

import { guessedFrom } from "../../../viz_core/web/src/view";
import type { View } from "../../../viz_core/web/src/ui/store";

export type Side = "source" | "target";

// Of the source the chosen token; of the target, which begins with the token that nobody writes, the one that this step writes.
export const tokenOf = (side: Side, { token, step }: View) => (side === "source" ? token : step + 1);

// What the store then holds, so that this token is looked at; null where none can be.
export function lookAt(side: Side, token: number): Partial<View> | null {
  if (side === "source") return { token };
  return token > 0 ? { step: token - 1 } : null;
}

// How many tokens may be shown, from the first.
export const knownTokens = (side: Side, view: View) => (side === "source" ? Infinity : guessedFrom(view) + 1);

// The word in which a token stands. counts: of the tokens of each word.
export function wordOf(counts: number[], token: number) {
  let end = 0;
  const at = counts.findIndex((count) => {
    end += count;
    return token < end;
  });
  return at < 0 ? counts.length - 1 : at;
}
