// The machine in Streamlit.

import { face } from "../kit/face.js";
import { mountOverview } from "./overview.js";

export default function ({ data, parentElement }) {
  return face(parentElement.querySelector(".viz-overview"), mountOverview, data);
}
