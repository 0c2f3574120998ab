// The top bar in Streamlit. It does not wait for the store: where there is no sentence yet, one is typed here.

import { face } from "../kit/payload";
import { mountTopBar } from "./top_bar";

export default (streamlit: Parameters<typeof face>[0]) => face(streamlit, mountTopBar, (show: () => void) => show());
