// A beam search in Streamlit.

import { face } from "../shared/face.js";
import { mountTree } from "./tree.js";

export default function ({ data, parentElement }) {
  return face(parentElement.querySelector(".viz-tree"), mountTree, data);
}
