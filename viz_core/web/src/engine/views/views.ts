// All views that the engine answers, by their names in an address.

import { nextToken } from "./next_token";
import { projectionWeights, qkv } from "./qkv";
import type { View } from "./view";

export const VIEWS: Readonly<Record<string, View>> = {
  next_token: nextToken,
  qkv,
  projection_weights: projectionWeights,
};
