// What ← and → move along: steps, or the source's tokens where steps change nothing: on an encoder page and in an open encoder block.

import { fill } from "./numbers";
import type { Store } from "../../web/src/ui/store";
import { isEncoders } from "./operations";

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
