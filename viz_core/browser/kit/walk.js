// What ← and → walk along: the steps, or on a page of the encoder and while one of its blocks is open, where steps change nothing, the tokens of the source.

import { fill } from "./numbers";
import { isEncoders } from "./operations";

// { name: of the view, at, count }
export function walked({ view, limits }) {
  const isEncoder = limits.walks === "token" || (limits.stages === "open" && isEncoders(view.open));
  return isEncoder
    ? { name: "token", at: view.token, count: limits.tokens }
    : { name: "step", at: view.step, count: limits.steps };
}

// The same in words. texts: { step, token }
export function placeText(store, texts) {
  const { name, at, count } = walked(store);
  return fill(texts[name], { [name]: at + 1, [`${name}s`]: count });
}

export function walk(store, by) {
  const { name, at } = walked(store);
  store.set({ [name]: at + by });
}

export function walkTo(store, at) {
  store.set({ [walked(store).name]: at });
}

export function isAtEnd(store) {
  const { at, count } = walked(store);
  return at === count - 1;
}
