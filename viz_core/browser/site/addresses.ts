// The recorded state of a page that an address means, and its views' addresses for another sentence.

import type { Texts } from "../../web/src/address";
import type { PageState } from "./data";

/** The state whose controls have the values of the address, or else their usual ones. */
export function stateFor(states: readonly PageState[], parameters: Texts): PageState {
  const usual: Texts = {};
  for (const { asked } of states) for (const [name, value] of Object.entries(asked)) usual[name] ??= value;
  const fits = ({ asked }: PageState) =>
    Object.entries(asked).filter(([name, value]) => (parameters[name] ?? usual[name]) === value).length;
  const missing = (state: PageState) => Object.keys(state.asked).length - fits(state);
  return [...states].sort((one, other) => missing(one) - missing(other))[0] as PageState;
}

/** The same address of another sentence; its own parameters from controls of the page. The right side, if there is one, follows in what
 * both sides had in common. right: what is known of it. */
export function movedTo(address: string, sentence: Texts, parameters: Texts = {}, right: Texts = {}) {
  const [path = "", query = ""] = address.split("?");
  const before = new URLSearchParams(query);
  const asked = new URLSearchParams(query);
  const put = (name: string, value: string) => (value ? asked.set(name, value) : asked.delete(name));
  const isShared = (name: string) => (before.get(`right_${name}`) ?? "") === (before.get(name) ?? "");
  for (const [name, value] of Object.entries(sentence)) {
    put(name, value);
    if (before.has("right_model") && isShared(name) && isShared("text")) put(`right_${name}`, value);
  }
  if (before.has("right_model")) for (const [name, value] of Object.entries(right)) put(`right_${name}`, value);
  for (const [name, value] of Object.entries(parameters)) if (asked.has(name) && !(name in sentence)) asked.set(name, value);
  return `${path}?${asked}`;
}

/** The name of the view. */
export const viewOfAddress = (address: string) =>
  address.slice(address.lastIndexOf("/", address.indexOf("?")) + 1, address.indexOf("?"));

/** The model of the right side; null without one. */
export const rightModelOf = (address: string) => new URLSearchParams(address.split("?")[1]).get("right_model");

export const rightModelsOf = ({ parts }: PageState) =>
  new Set(parts.map(({ data }) => (data?.address ? rightModelOf(data.address as string) : null)));
