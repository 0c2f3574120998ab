// The same attention of two models, or of two sentences: both, or the difference.

import { readTensors } from "../kit/tensors.js";
import { mountDifference } from "./one.js";
import { mountTwo } from "./two.js";

// payload: of viz_core/browser/side_by_side_payload.py. Returns { update(payload), destroy(), svg(), name() }; an
// update is of the same sort.
export function mountSideBySide(root, payload, store) {
  return (readTensors(payload).about.difference ? mountDifference : mountTwo)(root, payload, store);
}
