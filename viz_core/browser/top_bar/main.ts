// The top bar in Streamlit. It does not wait for the store: where there is no sentence yet, one is typed here.

import { type Called, face } from "../kit/payload";
import { mountTopBar } from "./top_bar";

export default (called: Called) => face(called, mountTopBar, (show) => show());
