// The operations within a step, in computing order: on an attention page its stages; on the overview those of the decoder, block by
// block, or of the encoder while one of its blocks is open. Only masked attention has a mask stage: with a single sentence nothing else
// is masked.

import type { Limits, Store } from "../../web/src/ui/store";
import type { View } from "../../web/src/view";
import { fill } from "./numbers";

// An operation, as the change it makes to the view.
export type Operation = Partial<Pick<View, "open" | "stage">>;
type Operations = { list: Operation[]; at: number };

export const STAGES = ["scores", "scaled", "mask", "softmax", "mix"];
// kind of attention → the block of the overview that shows it
export const OPENS = { self: "encoder", masked: "masked", cross: "cross" };

export const ATTENTION_OF: Record<string, string> = Object.fromEntries(Object.entries(OPENS).map(([kind, block]) => [block, kind]));

// The projections before and after an attention open as blocks of their own: cross_qkv, cross, cross_out.
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

// The operations, and the index of the one shown, or −1. stages: as in the store's limits. A stage that is not in the list counts as
// the one before it.
export function operationsOf(stages: Limits["stages"], view: Pick<View, "open" | "stage">): Operations {
  const list = stages !== "open" ? (PAGES[stages] ?? []) : isEncoders(view.open) ? ENCODER : DECODER;
  const now = STAGES.indexOf(view.stage);
  const at = list.findLastIndex(
    ({ open, stage }) => (open === undefined || open === view.open) && (!stage || STAGES.indexOf(stage) <= now),
  );
  return { list, at };
}

// What follows the last operation: after the overview's encoder its decoder, otherwise the first operation of the next step or token.
export function afterLast(
  list: readonly Operation[],
  { name, at }: { name: "step" | "token"; at: number },
): Partial<View> | undefined {
  return list === ENCODER ? DECODER[0] : { [name]: at + 1, ...list[0] };
}

// Whether the last operation of the step or token is shown; after the encoder's operations come the decoder's.
export const isLast = ({ list, at }: Operations) => at === list.length - 1 && list !== ENCODER;

// Where playing begins: once the weights are reached, at the first stage of the same block.
export function playFrom({ list, at }: Operations) {
  const now = list[at];
  const isPastScores = now?.stage === "softmax" || now?.stage === "mix";
  return isPastScores ? list.find(({ open }) => open === now.open) : now;
}

// What ← and → move along: steps, or the source's tokens where steps change nothing: on an encoder page and in an open encoder block.

type Walkable = Pick<Store, "view" | "limits">;

// name: the view's field.
export function walked({ view, limits }: Walkable) {
  const isEncoder = limits.walks === "token" || (limits.stages === "open" && isEncoders(view.open));
  return isEncoder
    ? { name: "token" as const, at: view.token, count: limits.tokens }
    : { name: "step" as const, at: view.step, count: limits.steps };
}

// The position in words, such as "step 3 of 9".
export function placeText(store: Walkable, texts: Readonly<Record<"step" | "token", string>>) {
  const { name, at, count } = walked(store);
  return fill(texts[name], { [name]: at + 1, [`${name}s`]: count });
}

export function walk(store: Store, by: number) {
  const { name, at } = walked(store);
  store.set({ [name]: at + by });
}

export function walkTo(store: Store, at: number) {
  store.set({ [walked(store).name]: at });
}

export function isAtEnd(store: Walkable) {
  const { at, count } = walked(store);
  return at === count - 1;
}
