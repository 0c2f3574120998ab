// Layer and head with a clear pattern, on which a page opens until the reader has chosen one, as in viz_core/app/chosen.py.

import type { Texts } from "../../web/src/address";
import type { Shell } from "./sentence";

type Visit = { parameters: Texts; isLink: boolean };

const OPENS_ON: Record<string, string> = { self_attention: "self", masked_attention: "masked" }; // the attention that a page is about

export function openingOf({ isLink, parameters }: Visit, page: string, shell: Shell, carried: Texts) {
  const began = page === "overview" && isLink && Object.keys(parameters).every((name) => name === "lang");
  const chosen = `${parameters.layer ?? 1}-${parameters.head ?? 1}`;
  if (!began && carried.opening !== chosen) return {};
  const [layer, head] = shell.opening[OPENS_ON[page] ?? "cross"] ?? [0, 0];
  return { layer, head };
}

/** What goes from page to page outside the address, with the head that was picked. */
export const carriedOf = (
  { layer, head }: { layer?: number; head?: number },
  { opening: _, draft: __, applied: ___, ...carried }: Texts,
): Texts => (layer === undefined || head === undefined ? carried : { ...carried, opening: `${layer + 1}-${head + 1}` });
