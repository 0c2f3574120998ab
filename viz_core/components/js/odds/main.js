// The last softmax in Streamlit.

import { face } from "../shared/face.js";
import { mountOdds } from "./odds.js";

export default function ({ data, parentElement }) {
  return face(parentElement.querySelector(".viz-odds"), mountOdds, data);
}
