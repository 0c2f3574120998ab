// The edits that an address means, as `sync_from_url` in viz_core/app/edited.py: those of the page's model, and a draft beside it.

import type { Texts } from "../../web/src/address";

/** here: the edits of the page's model. right: those of the right side, on a page that shows the model as trained beside the edited one. */
export function editsOf(page: string, { edits: asked, everywhere, pair }: Texts, { draft: kept = "", applied }: Texts) {
  const isBeside = page === "what_if" || (page === "compare" && pair === "edits");
  const draft = asked !== undefined && (isBeside || !kept) ? asked : kept;
  const isOn = Boolean(draft) && (isBeside ? everywhere === "on" || applied === "on" : !kept);
  return {
    here: isOn && !isBeside ? draft : "",
    right: isBeside ? draft : null,
    named: filled({ edits: isBeside || isOn ? draft : "", everywhere: isBeside && isOn ? "on" : "" }),
    carried: filled({ draft: isOn ? "" : draft, applied: isOn && !isBeside ? "on" : "" }),
  };
}

const filled = (texts: Texts): Texts => Object.fromEntries(Object.entries(texts).filter(([, text]) => text));
