// Where everything stands in Figure 1 of the paper, in px. Sizes go in, numbers come out; nothing is drawn here.

import { nth } from "../../web/src/payload";
import type { Overview, Stack } from "./data";

const SUB_LAYERS = {
  encoder: {
    pre: ["norm", "self", "add_then_norm", "encoder_ffn", "add"],
    post: ["self", "add_norm", "encoder_ffn", "add_norm"],
  },
  decoder: {
    pre: ["norm", "masked", "add_then_norm", "cross", "add_then_norm", "ffn", "add"],
    post: ["masked", "add_norm", "cross", "add_norm", "ffn", "add_norm"],
  },
}; // from the bottom to the top; where this model normalizes, it may differ from the paper
const BEFORE = ["tokens", "embedding", "sum"];
const HIGHEST_ROW = 58;
const WIDEST_BOX = 330;
const FRAME = 22; // px around the boxes of a layer
export const RING = 11; // px: radius of the sum and of the wave
export const SUM = BEFORE.indexOf("sum");

const LEADS_TO: Record<string, string> = {
  tokens: "embedding",
  embedding: "embedding",
  sum: "embedding",
  self: "encoder",
  masked: "masked",
  cross: "cross",
  encoder_ffn: "encoder_ffn",
  ffn: "ffn",
  linear: "softmax",
  softmax: "softmax",
  output: "softmax",
};
// The block to which the box at this place leads: a sum to what writes into it, a norm to what reads it.
function blockOf(stack: Stack, kinds: string[], at: number) {
  const kind = nth(kinds, at);
  if (LEADS_TO[kind]) return LEADS_TO[kind];
  if (kind === "norm_end") return stack === "encoder" ? "memory" : "softmax";
  if (kind === "norm") return `${LEADS_TO[nth(kinds, at + 1)]}_qkv`;
  const written = LEADS_TO[nth(kinds, at - 1)] ?? "";
  return written.endsWith("ffn") ? written : `${written}_out`;
}

export const isNorm = (kind: string) => kind.startsWith("add") || kind.startsWith("norm");

/** hasEnd: by stack, whether a norm ends it; text: px of letters; bars: how many. */
interface Wanted extends Pick<Overview, "norm">, Record<"width" | "height" | "text" | "bars", number> {
  hasEnd: Overview["final_norm"];
}

// Each stack with its boxes, from the bottom to the top.
export function paperPlan({ width, height, text, norm, hasEnd, bars }: Wanted) {
  const rows = BEFORE.length + SUB_LAYERS.decoder[norm].length + (hasEnd.decoder ? 4 : 3);
  const pitch = Math.min(height / (rows + 0.2), HIGHEST_ROW);
  const box = { width: Math.min(width * 0.243, WIDEST_BOX), height: pitch * 0.74 };
  const y = (row: number) => height - (row + 0.55) * pitch;

  const stackOf = (name: Stack, left: number, after: string[]) => {
    const layer = SUB_LAYERS[name][norm];
    const kinds = [...BEFORE, ...layer, ...(hasEnd[name] ? ["norm_end"] : []), ...after];
    const x = left + box.width / 2;
    const top = y(BEFORE.length + layer.length - 1) - pitch / 2;
    return {
      name,
      x,
      outward: name === "encoder" ? -1 : 1, // towards the edge of the picture, where residuals run
      boxes: kinds.map((kind, row) => ({ kind, row, block: blockOf(name, kinds, row), x, y: y(row) })),
      frame: { x: left - FRAME, y: top, width: box.width + 2 * FRAME, height: layer.length * pitch },
    };
  };

  const encoder = stackOf("encoder", width * 0.115, []);
  const decoder = stackOf("decoder", width * 0.42, ["linear", "softmax", "output"]);
  const label = Math.min(150, width * 0.12);
  const from = decoder.x + box.width / 2 + 50 + label;
  const lines = Array.from({ length: bars }, (_, at) => y(decoder.boxes.length - 1) + at * Math.min(pitch, 30));
  return {
    ...{ width, height, text, pitch, box, encoder, decoder },
    thumbnail: { width: (box.height - 6) * 1.6, height: box.height - 6 },
    bars: { lines, from, label, track: { x: from + 8, width: Math.max(width - from - 100, 30) } },
  };
}
