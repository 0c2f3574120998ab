// Share button in Streamlit, and the data of the dialog behind it.

import { cover } from "../kit/keys.js";
import { button, dress } from "../kit/dom.js";
import { theStore } from "../kit/store.js";
import { addressIsRight } from "../player/player.js";

export default function ({ data: [data], parentElement }) {
  const store = theStore();
  const root = parentElement.querySelector(".viz-share");
  store.share = data;
  if (data.written) addressIsRight();
  store.ready(() => dress(root, store.theme));
  root.replaceChildren(button(data.label, () => cover(store, "share"), { "aria-haspopup": "dialog" }));
}
