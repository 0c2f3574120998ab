// The address of what is shown, which the browser alone writes.

import params from "viz:params";
import type { View } from "./ui/store";

const OF_STREAMLIT = ["embed", "embed_options"];

// What Python says at the end of a run, see `addressed.py`.
export interface Drawn {
  session: string;
  run: number;
  visited: number; // the last of the browser's visits that it has shown
  page: string;
  path: string;
  pages: Record<string, string>; // the path of every page → its name
  kept: Record<string, string>; // parameters that only Python changes
  first: Record<string, string>; // of the others, the values that are left out
  follows: string[]; // of the others, those from which it has drawn something
  picked_by?: string[];
  picked_below?: boolean;
  is_empty?: boolean; // without a sentence, and so without a view
}

// The parameters of a view's address.
export function parametersOf(view: Readonly<View>, { kept, first, is_empty: isEmpty }: Drawn) {
  const asked = new URLSearchParams(kept);
  if (isEmpty) return asked;
  for (const [name, usual] of Object.entries(first)) {
    const shown = asText(name, view[name as keyof View]);
    if (shown !== usual) asked.set(name, shown);
  }
  return asked;
}

// Those that hold on every page.
export function everywhere(asked: URLSearchParams) {
  return new URLSearchParams([...asked].filter(([name]) => params.everywhere.includes(name)));
}

function asText(name: string, value: unknown) {
  if (value === null || value === false) return "";
  const { kind, first = 0 } = params.view[name] ?? {};
  if (kind === "Cell") return (value as number[]).map((place) => place + 1).join("-");
  if (kind === "Item") return String((value as number) + first);
  if (kind === "Number") return String(Number((value as number).toPrecision(6)));
  return value === true ? "on" : String(value);
}

// One entry of the browser's history for each view that somebody rested on; with `again` the entry that is there changes.
export function writeAddress(path: string, asked: URLSearchParams, again: boolean) {
  const now = new URLSearchParams(location.search);
  for (const name of OF_STREAMLIT) if (now.has(name)) asked.set(name, now.get(name) ?? "");
  const isThere = location.pathname === path; // else Streamlit has written an older page
  if (isThere && sameParameters(asked, now)) return;
  const address = `${path}${asked.size ? `?${asked}` : ""}`;
  if (again || !isThere) history.replaceState({}, "", address);
  else history.pushState({}, "", address);
}

type Parameters = string | URLSearchParams;

export function sameParameters(one: Parameters, other: Parameters) {
  const sorted = (asked: Parameters) => JSON.stringify([...new URLSearchParams(asked)].sort());
  return sorted(one) === sorted(other);
}

// The link to a view without what belongs to the stage.
export function linkTo(asked: URLSearchParams) {
  const left = new URLSearchParams(asked);
  for (const name of params.staged) left.delete(name);
  return `${location.origin}${location.pathname}${left.size ? `?${left}` : ""}`;
}
