// What the lens reads of the overview's data, see `readOverview`, and of what stands around it.

import type { Texts } from "../../web/src/ui/texts";
import type { Attention } from "../attention_view/data";

export type Stack = "encoder" | "decoder";
export type Side = "source" | "target";
export type Kind = "self" | "masked" | "cross";

export type Data = Record<Side | "output", string[]> &
  Record<"S" | "T" | "layers" | "heads" | "dims" | "units" | "vocabulary", number> &
  Record<"scaled" | "bias" | "summed", boolean> &
  Record<"queries" | "keys", Record<Kind, string[]>> &
  Parts;

interface Parts {
  depth: Record<Stack, number>;
  norm: "pre" | "post";
  final_norm: Record<Stack, boolean>;
  activation: string;
  matrix: string;
  limits: Record<string, number>;
  steps: { bars: Bar[]; others: [count: number, share: number]; written: number; log_sum: number }[];
  attention: Record<Kind, Attention>;
  code: Record<string, { place: string; numbers: number[]; lines: string[]; highlight: Record<string, number> }>;
  texts: Texts<"page layer_of encoder decoder head others"> & {
    lens: Texts<
      | "path whole long_whole long_head query key close_cell token all_heads lines neurons code_sign code of_layer of_head qkv out"
      | "to_memory to_softmax to_layer to_cross last leaves ffn firing active on cross next after input q k k_memory v v_memory"
      | "values weighted mix powers divided reads_value"
    > & { moves: Record<string, string>; shows: Record<string, string> };
    terms: Record<string, string>;
    name: Record<string, string> & Texts<"memory ffn">;
    paper: Texts<"norm add">;
  };
  weights(kind: Kind, ...at: number[]): Float32Array;
  firing(stack: Stack, layer: number, row: number): number;
  vector(name: string, ...at: number[]): Float32Array;
  exact(name: string): boolean;
  edited(block: string): boolean;
}

export type Bar = [label: string, share: number, before: number | null, logit: number];

/** A token whose numbers are shown; key: of cross attention, the source token whose key and value are. */
export interface Token {
  side: Side;
  index: number;
  key?: number;
  guessed?: boolean;
}

/** What is pointed at, as the flow's pointer knows it. */
export interface Thing {
  region?: string;
  block?: string;
  index?: number;
  layer?: number | undefined;
  said?: string;
  inks?: string[];
}
