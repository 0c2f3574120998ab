// What Python sends the top bar, see `viz_core/app/top_bar.py`; a file has the first four alone.

import type { Theme, Words } from "../../web/src/ui/store";

export type Side = "source" | "target";
export type Texts = Words<"toolbar source target layer head model doubt start translate or examples"> &
  Words<"edit_source edit_target edit_source_words edit_target_words placeholder_source placeholder_target reset"> &
  Words<"reads writes to_step to_token focus">;

export interface Data {
  source: Chip[];
  target: Chip[];
  languages?: [source?: string, target?: string];
  texts: Texts;
  typed?: Record<Side, string>;
  suggested?: Record<Side, string>;
  starts?: boolean; // whether this is where one begins
  doubt?: string; // why the translation is likely wrong, or ""
  fits?: [model: string, button: string] | null; // a model for such a text
  model?: string | null;
  models?: string[];
  examples?: [text: string, note: string][];
  theme?: Theme;
}

export type Chip = [text: string, word: number | null, note: string];
