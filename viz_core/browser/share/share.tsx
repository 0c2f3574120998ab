// The share button, and the data of the dialog that it opens.

import { useLayoutEffect } from "preact/hooks";
import { Button } from "../../web/src/ui/elements";
import { part, useView } from "../../web/src/ui/part";
import type { Share as Shared } from "../../web/src/ui/store";
import { cover } from "../kit/keys";
import { early } from "../kit/payload";

function Share({ label, run, ...share }: Shared & { label: string; run: number }) {
  const { view, store, send } = useView();
  const isOpen = view.over === "share";
  useLayoutEffect(() => {
    store.share = share;
    const isDrawn = store.isKnown() && (share.code || share.no_code); // the view may have changed since
    if (isOpen && !isDrawn) send?.("code", run);
    store.repaint();
  }, [run, share.code, isOpen]);
  return <Button aria-haspopup="dialog" act={() => cover(store, "share")} words={label} />;
}

export const mountShare = part(Share);
export default early(mountShare);
