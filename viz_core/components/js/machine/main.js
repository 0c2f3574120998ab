// The machine in Streamlit.

import { face } from "../shared/face.js";
import { mountMachine } from "./machine.js";

export default function ({ data, parentElement }) {
  return face(parentElement.querySelector(".viz-machine"), mountMachine, data);
}
