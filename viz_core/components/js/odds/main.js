// The last softmax in Streamlit.

import { theStore } from "../shared/store.js";
import { mountOdds } from "./odds.js";

export default function ({ data, parentElement }) {
  const root = parentElement.querySelector(".viz-odds");
  root.viz ??= mountOdds(root, data, theStore());
  root.viz.update(data);
  return () => {
    if (root.isConnected) return;
    root.viz?.destroy();
    root.viz = null;
  };
}
