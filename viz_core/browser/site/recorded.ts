// The recorded states of a page: which one an address asks for, and which of its parts can be shown there.

import type { Texts } from "../../web/src/address";
import type { Limits } from "../../web/src/ui/store";
import type { View } from "../../web/src/view";
import { modelsBeside, viewOf } from "./addresses";
import type { PageState, Placed, Site } from "./data";
import type { Shell } from "./sentence";

// A slider has a state for 0 and one for all other values.
const isAlike = (one: string | undefined, value: string) => one === value || (Number(one) > 0 && Number(value) > 0);

/** The state whose controls have the values of the address, or else their usual ones. */
export function stateFor(states: readonly PageState[], parameters: Texts): PageState {
  const usual: Texts = {};
  for (const { asked } of states) for (const [name, value] of Object.entries(asked)) usual[name] ??= value;
  const isKnown = (name: string) => states.some(({ asked }) => name in asked && isAlike(parameters[name], asked[name] as string));
  const wanted = (name: string) => (isKnown(name) ? parameters[name] : usual[name]);
  const fits = ({ asked }: PageState) => Object.entries(asked).filter(([name, value]) => isAlike(wanted(name), value)).length;
  const missing = (state: PageState) => Object.keys(state.asked).length - fits(state);
  return [...states].sort((one, other) => missing(one) - missing(other))[0] as PageState;
}

/** Which of step, layer and head the recorded parts of a page depend on. */
export const followedBy = ({ parts }: PageState) => {
  const follows = parts.find(({ name }) => name === "address")?.data?.follows as string[] | undefined;
  return (["step", "layer", "head"] as const).filter((name) => follows?.includes(name));
};

/** Whether the address sets a number, or a step, layer or head, other than the one that was recorded. */
export function hasMoved(state: PageState, parameters: Texts, view: Partial<View> = viewOf(parameters)) {
  const isMoved = ({ name, data }: Placed) => {
    const value = parameters[String(data?.name)];
    const isOther = Boolean(value) && !Number.isNaN(Number(value)) && value !== data?.value;
    return isOther && name === "control" && ["slider", "number", "list"].includes(String(data?.kind));
  };
  return state.parts.some(isMoved) || followedBy(state).some((name) => view[name]);
}

/** Whether a part explains the page's figure. */
export const isOfPicture = ({ name }: Placed) => name === "said" || name.endsWith("arithmetic");

type Options = { name?: string; kind?: string; options?: [value: string, words: string][] };

/** The values of a control's options. */
export const optionsOf = ({ options = [] }: Options) => options.map(([value]) => value);

/** The options of a control for which only the app has a figure. */
export function awayOf(
  { name = "", kind, options }: Options,
  states: readonly PageState[],
  parameters: Texts,
  isInMain: (each: Placed) => boolean,
) {
  const values = kind === "buttons" ? optionsOf({ options }) : [];
  return values.filter((value) => !stateFor(states, { ...parameters, [name]: value }).parts.some(isInMain));
}

/** Whether a control offers words of the sentence, to compare with. */
export const isRival = (data: Placed["data"]) => data?.name === "against";

/** Whether a part can be shown: computed, or recorded with all that it depends on. isRecorded: whether the sentence is. */
export function isUsable({ name, data, own, fixed }: Placed, { models, beside }: Site, isRecorded: boolean, isMoved: boolean) {
  if (name === "switchboard" || data?.name === "swap" || isRival(data)) return true; // what they show is the sentence's own
  if (!data?.address) return (own || isRecorded) && (fixed || !isMoved);
  return modelsBeside({ data }).every((name) => name in models || name in beside);
}

/** Notices of what the address asks for but the page lacks: a number beyond the last one, an option that does not exist. */
export function replacedOf(parameters: Texts, { asked }: PageState, { layers, heads, steps }: Limits): Shell["notices"] {
  const numbers = Object.entries({ layer: layers, head: heads, step: steps }).flatMap(([name, most]) => {
    const [text, number] = [parameters[name], Math.round(Number(parameters[name]))];
    const shown = Math.min(Math.max(number || 1, 1), most);
    if (text === undefined || number === shown) return [];
    return [{ code: number ? "nearest" : "unknown", values: { name, asked: text.slice(0, 40), shown } }];
  });
  const options = Object.entries(asked).flatMap(([name, shown]) =>
    parameters[name] === undefined || isAlike(parameters[name], shown)
      ? []
      : [{ name, asked: parameters[name].slice(0, 40), shown }],
  );
  return [...numbers, ...options.map((values) => ({ code: "unknown", values }))];
}

/** The state with the parts that belong to the picks of the address in figures, and the parameters that a pick stands for unless it
 * was the same `before`. */
export function pickedIn(state: PageState, parameters: Texts, before: Texts): [PageState, Texts] {
  const led: Texts = {};
  let { parts } = state;
  for (const [name, picks] of Object.entries(state.picks)) {
    const value = parameters[name] ?? "";
    const pick = picks[value];
    if (!pick) continue;
    if (value !== before[name]) Object.assign(led, pick.lead);
    parts = parts.map((part) => pick.parts.find(({ key }) => key === part.key) ?? part);
  }
  return [{ ...state, parts }, led];
}
