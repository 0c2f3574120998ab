// The link to this view, in Streamlit: a button, and what the dialog behind it shows.

import { dress, el } from "../shared/dom.js";
import { addressIsRight } from "../remote/history.js";
import { cover } from "../shared/keys.js";
import { theStore } from "../shared/store.js";

export default function ({ data: [data], parentElement }) {
  const store = theStore(), root = parentElement.querySelector(".viz-share");
  store.share = data;
  if (data.written) addressIsRight();
  store.ready(() => dress(root, store.theme));
  root.replaceChildren(el("button", { type: "button", "aria-haspopup": "dialog", onclick: () => cover(store, "share") }, data.label));
}
