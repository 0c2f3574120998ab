// The link to this view, in Streamlit: a button, and what the dialog behind it shows.

import { dress, el } from "../kit/dom.js";
import { cover } from "../kit/keys.js";
import { theStore } from "../kit/store.js";
import { addressIsRight } from "../player/page.js";

export default function ({ data: [data], parentElement }) {
  const store = theStore();
  const root = parentElement.querySelector(".viz-share");
  store.share = data;
  if (data.written) addressIsRight();
  store.ready(() => dress(root, store.theme));
  root.replaceChildren(
    el("button", { type: "button", "aria-haspopup": "dialog", onclick: () => cover(store, "share") }, data.label),
  );
}
