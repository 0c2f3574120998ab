// In Streamlit: once for each tab, whatever page it shows.

import { keepMended } from "./access.js";

export default function ({ parentElement }) {
  const root = parentElement.querySelector(".viz-access");
  root.end ??= keepMended(document.body);
  return () => {
    if (root.isConnected) return;
    root.end?.();
    root.end = null;
  };
}
