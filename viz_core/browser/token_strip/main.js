// The strip in Streamlit.

import { face } from "../kit/face.js";
import { mountTokenStrip } from "./token_strip.js";

export default function ({ data: [data], parentElement }) {
  return face(parentElement.querySelector(".viz-token-strip"), mountTokenStrip, data);
}
