// Share button in Streamlit, and the data of the dialog behind it.

import { theStore } from "../../web/src/state";
import type { Share } from "../../web/src/ui/store";
import { button, dress } from "../kit/dom";
import { cover } from "../kit/keys";
import type { Called } from "../kit/payload";

interface Data extends Share {
  label: string;
  run: number;
}

interface Root extends HTMLElement {
  stop?: () => void;
}

export default function ({ data: [data], parentElement, setTriggerValue }: Called<[Data]>) {
  const store = theStore();
  const root = parentElement.querySelector<Root>(".viz-share");
  if (!root) return;
  store.share = data;
  const ask = () => {
    if (!data.code && !data.no_code) setTriggerValue("code", data.run);
  };
  root.stop?.();
  root.stop = store.subscribe((view, before) => {
    if (view.over === "share" && before.over !== "share") ask();
  });
  if (store.view.over === "share") store.isKnown() && (data.code || data.no_code) ? store.repaint() : ask();
  store.ready(() => dress(root, store.theme));
  root.replaceChildren(button(data.label, () => cover(store, "share"), { "aria-haspopup": "dialog" }));
  return () => root.stop?.();
}
