// Share button in Streamlit, and the data of the dialog behind it.

import { cover } from "../kit/keys";
import { button, dress } from "../kit/dom";
import { theStore } from "../../web/src/state";

export default function ({ data: [data], parentElement, setTriggerValue }) {
  const store = theStore();
  const root = parentElement.querySelector(".viz-share");
  store.share = data;
  const ask = () => {
    if (store.share.code || store.share.no_code) return;
    setTriggerValue("code", store.share.run);
  };
  root.stop?.();
  root.stop = store.subscribe((view, before) => {
    if (view.over === "share" && before.over !== "share") ask();
  });
  if (store.view.over === "share") store.isKnown() && (data.code || data.no_code) ? store.repaint() : ask();
  store.ready(() => dress(root, store.theme));
  root.replaceChildren(button(data.label, () => cover(store, "share"), { "aria-haspopup": "dialog" }));
  return () => root.stop();
}
