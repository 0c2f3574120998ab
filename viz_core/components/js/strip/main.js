// The strip in Streamlit.

import { face } from "../shared/face.js";
import { mountStrip } from "./strip.js";

export default function ({ data: [data], parentElement }) {
  return face(parentElement.querySelector(".viz-strip"), mountStrip, data);
}
