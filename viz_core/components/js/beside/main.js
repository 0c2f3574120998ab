// Two stages side by side, in Streamlit.

import { face } from "../shared/face.js";
import { mountBeside } from "./beside.js";

export default function ({ data, parentElement }) {
  return face(parentElement.querySelector(".viz-beside"), mountBeside, data);
}
