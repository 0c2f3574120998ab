// Two models side by side, in Streamlit.

import { face } from "../kit/face.js";
import { mountComparison } from "./comparison.js";

export default function ({ data, parentElement }) {
  return face(parentElement.querySelector(".viz-comparison"), mountComparison, data);
}
