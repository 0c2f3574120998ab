// A beam search in Streamlit.

import { face } from "../../../viz_core/browser/kit/face.js";
import { mountBeamTree } from "./beam_tree.js";

export default function ({ data, parentElement }) {
  return face(parentElement.querySelector(".viz-beam-tree"), mountBeamTree, data);
}
