// “Try this” on a site, as in viz_core/app/try_this.py: the question that was begun, until it is closed, or page, sentence or model change.

import type { Texts } from "../../web/src/address";
import type { Entry } from "../try_this/try_this";
import type { Placed, Site } from "./data";

/** Those about models of the site. */
export const entriesOf = ({ entries }: Record<string, unknown>, models: Site["models"]) =>
  (entries as Entry[]).filter(({ changes }) => Object.hasOwn(models, changes.model ?? ""));

/** The part that shows it, and what is then carried on; null without one. here: names the sentence and model. */
export function triedOf(parts: readonly Placed[], { tried = "" }: Texts, here: string) {
  const [, wanted, about = ""] = /^(\S*) ?(.*)$/s.exec(tried) ?? [];
  const list = parts.find(({ name }) => name === "try_this");
  const entry = (list?.data?.entries as Entry[] | undefined)?.find(({ key }) => key === wanted);
  if (!list || !entry || (about && about !== here)) return null;
  const data = { ...list.data, entries: [entry], tried: true };
  return { carried: { tried: `${wanted} ${here}` }, part: { ...list, key: "tried", data } };
}
