// The switchboard in Streamlit.

import { face } from "../../../viz_core/browser/kit/face.js";
import { mountSwitchboard } from "./switchboard.js";

export default function ({ data: [data], parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".viz-switchboard");
  root.tell = (message) => setTriggerValue("edits", message);
  return face(root, mountSwitchboard, data);
}
