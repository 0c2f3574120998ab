// The parameters of an address as fields of the view, as the classes of viz_core/params.py read them.

import params from "viz:params";
import type { Texts } from "../../web/src/address";
import { fill } from "../kit/numbers";
import type { SiteTexts } from "./data";
import type { View } from "../../web/src/view";

type Param = (typeof params.view)[string];

/** Invalid values are left out. */
export function viewOf(parameters: Texts): Partial<View> {
  const read = Object.values(params.view).flatMap((param) => {
    const text = parameters[param.name];
    const value = text === undefined ? undefined : param.name === "lecture" ? text === "on" : meaningOf(text, param);
    return value === undefined ? [] : [[param.name, value]];
  });
  return Object.fromEntries(read);
}

function meaningOf(text: string, { kind, first = 0, low = 0, high = 0, options = [] }: Param) {
  if (kind === "OneOf") return options.includes(text) ? text : undefined;
  if (kind === "Item") return /^[1-9]\d{0,5}$/.test(text) ? Number(text) - first : undefined;
  if (kind === "Cell")
    return /^[1-9]\d{0,3}-[1-9]\d{0,3}$/.test(text) ? text.split("-").map((place) => Number(place) - 1) : undefined;
  const number = Number.parseFloat(text);
  return Number.isFinite(number) ? Math.min(Math.max(number, low), high) : undefined;
}

/** Sentences about what the address names and the site lacks. */
export const absentOf = (
  { talk, model, snapshot }: Texts,
  shown: { talk: string | undefined; model: string },
  texts: SiteTexts,
) => [
  ...(talk && talk !== shown.talk ? [fill(texts.no_talk, { talk })] : []),
  ...(model && model !== shown.model ? [fill(texts.no_model, { model, shown: shown.model })] : []),
  ...(snapshot ? [texts.no_snapshot] : []),
];
