// The stage in Streamlit.

import { face } from "../shared/face.js";
import { mountStage } from "./stage.js";

export default function ({ data, parentElement }) {
  return face(parentElement.querySelector(".viz-stage"), mountStage, data);
}
