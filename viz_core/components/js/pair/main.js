// Two models side by side, in Streamlit.

import { face } from "../shared/face.js";
import { mountPair } from "./pair.js";

export default function ({ data, parentElement }) {
  return face(parentElement.querySelector(".viz-pair"), mountPair, data);
}
