// The last softmax in Streamlit.

import { face } from "../../../viz_core/browser/kit/face.js";
import { mountNextToken } from "./next_token.js";

export default function ({ data, parentElement }) {
  return face(parentElement.querySelector(".viz-next-token"), mountNextToken, data);
}
