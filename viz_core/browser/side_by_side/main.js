// Two stages side by side, in Streamlit.

import { face } from "../kit/face.js";
import { mountSideBySide } from "./side_by_side.js";

export default function ({ data, parentElement }) {
  return face(parentElement.querySelector(".viz-side-by-side"), mountSideBySide, data);
}
