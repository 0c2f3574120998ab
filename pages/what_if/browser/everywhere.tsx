// The button that uses the edited model on all pages, or the trained one again.

import { Link } from "../../../viz_core/browser/link/link";
import { textsIn } from "../../../viz_core/web/src/texts";
import { part } from "../../../viz_core/web/src/ui/part";
import type { Changes } from "../../../viz_core/web/src/ui/store";

const texts = textsIn("what_if.everywhere");

/** draft: the edits, as in an address; on: whether they apply to the other pages. */
export type Data = { draft: string; on: boolean };

function Everywhere({ draft, on }: Data) {
  const asks: Changes = on ? { edits: draft, draft, everywhere: null, applied: null } : { everywhere: "on", draft: null };
  return (
    <div class="row">
      <Link name="put" label={on ? texts.take_out : texts.put_in} asks={asks} main={on} disabled={!draft} />
      <p>{(on ? texts.is_in : texts.is_out).split("**").map((text, at) => (at % 2 ? <b key={text}>{text}</b> : text))}</p>
    </div>
  );
}

export const mountEverywhere = part(Everywhere);
