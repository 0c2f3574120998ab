// One attention, stage by stage, as `attention_view` in viz_core/app/data_views.py.

import { attentionPayload } from "./attention";
import type { Kind, Scene } from "./view";

export const attentionView = (scene: Scene, asked: URLSearchParams) =>
  attentionPayload(scene, asked.get("kind") as Kind, { first: true });
