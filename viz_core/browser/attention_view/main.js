// The stage in Streamlit.

import { face } from "../kit/face.js";
import { mountAttentionView } from "./attention_view.js";

export default function ({ data, parentElement }) {
  return face(parentElement.querySelector(".viz-attention-view"), mountAttentionView, data);
}
