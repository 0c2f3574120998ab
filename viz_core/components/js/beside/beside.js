// The same attention of two models, or of two sentences: both, or the difference.

import { readTensors } from "../shared/tensors.js";
import { mountDifference } from "./one.js";
import { mountTwo } from "./two.js";

// payload: of viz_core/payload/beside.py. Returns { update(payload), destroy(), svg(), name() }; an update is of the same sort.
export function mountBeside(root, payload, store) {
  return (readTensors(payload).about.difference ? mountDifference : mountTwo)(root, payload, store);
}
