// “Try this” on a site, as in viz_core/app/try_this.py: the question that was begun, until it is closed, or page, sentence or model change.

import type { Texts } from "../../web/src/address";
import type { Entry } from "../try_this/try_this";
import type { requestOf } from "./addresses";
import type { PageState, Placed, Site } from "./data";
import { hasMoved, isUsable, stateFor } from "./recorded";

type Now = {
  states: readonly PageState[];
  parameters: Texts;
  asking: (parameters: Texts) => Pick<ReturnType<typeof requestOf>, "parameters" | "isUsual">;
  isInMain: (each: Placed) => boolean;
};

/** The questions whose answer the site can show: about its models, with a figure that is computed or was recorded with these values. */
export const entriesOf = (data: Record<string, unknown>, site: Site, now: Now) =>
  (data.entries as Entry[]).filter(({ changes }) => {
    const kept = Object.entries({ ...now.parameters, ...changes }).filter(([, value]) => value !== null);
    const { parameters, isUsual } = now.asking(Object.fromEntries(kept) as Texts);
    const state = stateFor(now.states, parameters);
    const isMoved = hasMoved(state, parameters);
    const figures = state.parts.filter(now.isInMain);
    const hasFigure = figures.length > 0 && figures.every((each) => isUsable(each, site, isUsual, isMoved));
    return Object.hasOwn(site.models, changes.model ?? "") && hasFigure;
  });

/** The part that shows the begun question, and what the address carries on; null if none was begun. here: names the sentence and model. */
export function triedOf(parts: readonly Placed[], { tried = "" }: Texts, here: string) {
  const [, wanted, about = ""] = /^(\S*) ?(.*)$/s.exec(tried) ?? [];
  const list = parts.find(({ name }) => name === "try_this");
  const entry = (list?.data?.entries as Entry[] | undefined)?.find(({ key }) => key === wanted);
  if (!list || !entry || (about && about !== here)) return null;
  const data = { ...list.data, entries: [entry], tried: true };
  return { carried: { tried: `${wanted} ${here}` }, part: { ...list, key: "tried", data } };
}
