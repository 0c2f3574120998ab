// In Streamlit: once for each tab, whatever page it shows, and before all else of it.

import { installEarly } from "../kit/keys.js";
import { theStore } from "../kit/store.js";
import { keepMended } from "./access.js";

export default function ({ parentElement }) {
  const root = parentElement.querySelector(".viz-access");
  root.end ??= keepMended(document.body);
  theStore().early ??= installEarly(theStore());
  return () => {
    if (root.isConnected) return;
    root.end?.();
    root.end = null;
  };
}
