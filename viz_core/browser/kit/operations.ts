// The operations inside a step, in the order of computing: on the page of an attention its stages; on the overview those of the
// decoder, block by block, or of the encoder while a block of it is open. Only masked attention has the stage of the mask: of one
// sentence nothing else is hidden.

import type { Limits } from "../../web/src/ui/store";
import type { View } from "../../web/src/view";

// What it changes in the view.
export type Operation = Partial<Pick<View, "open" | "stage">>;
type Operations = { list: Operation[]; at: number };

export const STAGES = ["scores", "scaled", "mask", "softmax", "mix"];
// kind of attention → the overview's block that opens into it
export const OPENS = { self: "encoder", masked: "masked", cross: "cross" };

export const ATTENTION_OF: Record<string, string> = Object.fromEntries(Object.entries(OPENS).map(([kind, block]) => [block, kind]));

// What comes before the scores and behind the mix opens as a block of its own: cross_qkv, cross, cross_out.
const PARTS = /_(qkv|out)$/;
export const partOf = (open: string) => open.replace(PARTS, "");
export const namedPart = (open = "") => PARTS.exec(open)?.[1] ?? "";

const attentionOf = (open: string, stages: string[]): Operation[] => [
  { open: `${open}_qkv` },
  ...stages.map((stage) => ({ open, stage })),
  { open: `${open}_out` },
];
const UNMASKED = STAGES.filter((stage) => stage !== "mask");
const PAGES: Record<string, Operation[]> = Object.fromEntries(
  Object.keys(OPENS).map((kind) => [kind, (kind === "masked" ? STAGES : UNMASKED).map((stage) => ({ stage }))]),
);
const ENCODER: Operation[] = [...attentionOf("encoder", UNMASKED), { open: "encoder_ffn" }, { open: "memory" }];
const DECODER: Operation[] = [
  { open: "embedding" },
  ...attentionOf("masked", STAGES),
  ...attentionOf("cross", UNMASKED),
  { open: "ffn" },
  { open: "softmax" },
];
const isIn = (list: readonly Operation[], open: string) => list.some((operation) => operation.open === open);

export const isEncoders = (open: string) => isIn(ENCODER, open);

// { list, at }: the operations, each as what it changes in the view, and which of them is shown, or -1. stages: as in the
// store's limits. A stage that is not in the list counts as the one before it.
export function operationsOf(stages: Limits["stages"], view: Pick<View, "open" | "stage">): Operations {
  const list = stages !== "open" ? (PAGES[stages] ?? []) : isEncoders(view.open) ? ENCODER : DECODER;
  const now = STAGES.indexOf(view.stage);
  const at = list.findLastIndex(
    ({ open, stage }) => (open === undefined || open === view.open) && (!stage || STAGES.indexOf(stage) <= now),
  );
  return { list, at };
}

// What follows the last operation: in the overview's encoder the decoder's first, else the first of the next step or token.
export function afterLast(
  list: readonly Operation[],
  { name, at }: { name: "step" | "token"; at: number },
): Partial<View> | undefined {
  return list === ENCODER ? DECODER[0] : { [name]: at + 1, ...list[0] };
}

// Whether what is shown is the last operation of all of this step or token; behind the encoder's comes the decoder.
export const isLast = ({ list, at }: Operations) => at === list.length - 1 && list !== ENCODER;

// Where playing begins: behind the weights, at the first stage of the same block.
export function playFrom({ list, at }: Operations) {
  const now = list[at];
  const isBehind = now?.stage === "softmax" || now?.stage === "mix";
  return isBehind ? list.find(({ open }) => open === now.open) : now;
}
