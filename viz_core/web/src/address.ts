// The address of the current view, which only the browser writes, and those of pages left earlier.

import params from "viz:params";
import type { View } from "./ui/store";

const OF_STREAMLIT = ["embed", "embed_options"];

export type Texts = Record<string, string>;

// Sent beside the address, see `request.py`; a link sends nothing.
export interface Beside {
  dormant: Texts;
  carried: Texts;
  of: Texts;
}

export interface Address {
  path: string;
  parameters: Texts;
  beside: Beside | null;
}

// Python's report at the end of a run, see `addressed.py`.
export interface Drawn {
  session: string;
  run: number;
  visited: number; // the last of the browser's visits that Python has shown
  brought: number; // how often Python itself has led to another address
  page: string;
  path: string;
  pages: Texts; // the path of every page → its name
  kept: Texts; // parameters that the store does not have
  carried: Texts; // values that go from page to page outside the address
  of: Texts; // for the drawn controls of the page, the list that each value refers to
  first: Texts; // the store's parameters → values that are left out of the address
  follows: string[]; // those of them that Python itself draws from
  picked_by?: string[];
  picked_below?: boolean;
  is_empty?: boolean; // without a sentence, and so without a view
}

// Python's report that it leads to another page.
export type Leads = Pick<Drawn, "session" | "visited" | "brought" | "path"> & { go: string; parameters: Texts };

// The store's part of a view's parameters.
export function parametersOf(view: Readonly<View>, { first, is_empty: isEmpty }: Drawn): Texts {
  if (isEmpty) return {};
  const shown = Object.keys(first).map((name) => [name, asText(name, view[name as keyof View])]);
  return Object.fromEntries(shown.filter(([name, text]) => text !== first[name as string]));
}

// All options of a page's figures, as the parameters of a link.
export const textsOf = (view: Partial<View>): Texts =>
  Object.fromEntries(
    Object.keys(params.view).flatMap((name) => (name in view ? [[name, asText(name, view[name as keyof View])]] : [])),
  );

export const isEverywhere = (name: string) => params.everywhere.includes(name);

export const isCarried = (name: string) => params.carried.includes(name);

function asText(name: string, value: unknown) {
  if (value === null || value === false) return "";
  const { kind, first = 0 } = params.view[name] ?? {};
  if (kind === "Cell") return (value as number[]).map((place) => place + 1).join("-");
  if (kind === "Item") return String((value as number) + first);
  if (kind === "Number") return String(Number((value as number).toPrecision(6)));
  return value === true ? "on" : String(value);
}

// Adds an entry to the browser's history for each view that the reader rested on; again: replaces the current entry.
export function writeAddress(path: string, parameters: Texts, again: boolean) {
  const query = queryOf(parameters);
  const isThere = location.pathname === path; // else Streamlit has written an earlier page
  if (isThere && sameParameters(query, location.search)) return;
  if (again || !isThere) history.replaceState({}, "", `${path}${query}`);
  else history.pushState({}, "", `${path}${query}`);
}

// The query of an address, in which a frame stays one.
export function queryOf(parameters: Texts) {
  const query = new URLSearchParams(parameters);
  const now = new URLSearchParams(location.search);
  for (const name of OF_STREAMLIT) if (now.has(name)) query.set(name, now.get(name) ?? "");
  return query.size ? `?${query}` : "";
}

type Parameters = string | URLSearchParams | Texts;

export function sameParameters(one: Parameters, other: Parameters) {
  const sorted = (asked: Parameters) => JSON.stringify([...new URLSearchParams(asked)].sort());
  return sorted(one) === sorted(other);
}

// The reader's choices on pages left earlier, to which they come back.
export function choicesElsewhere() {
  const left = new Map<string, Record<"parameters" | "of", Texts>>(); // by path
  const isOwn = (name: string) => !isEverywhere(name);
  return {
    remember({ path, parameters }: Address, { dormant, of }: Beside) {
      left.set(path, { parameters: only({ ...dormant, ...parameters }, isOwn), of: only(of, isOwn) });
    },

    // The address of another page: parameters of every page, and earlier choices on that page.
    lead({ parameters, beside }: Address, path: string): Address {
      const there = left.get(path);
      const { carried = {}, of = {} } = beside ?? {};
      return {
        path,
        parameters: { ...only(parameters, isEverywhere), ...there?.parameters },
        beside: { dormant: {}, carried, of: { ...there?.of, ...only(of, isEverywhere) } },
      };
    },

    forget(name: string) {
      for (const { parameters } of left.values()) delete parameters[name];
    },
  };
}

export function only<Value>(from: Record<string, Value>, isWanted: (name: string) => boolean): Record<string, Value> {
  return Object.fromEntries(Object.entries(from).filter(([name]) => isWanted(name)));
}

// An empty text removes its parameter.
export function patched(parameters: Texts, changes: Texts): Texts {
  return only({ ...parameters, ...changes }, (name) => !(name in changes) || changes[name] !== "");
}

// The link to a view, without talk and lecture mode.
export function linkTo(parameters: Texts) {
  const left = new URLSearchParams(parameters);
  for (const name of params.staged) left.delete(name);
  return `${location.origin}${location.pathname}${left.size ? `?${left}` : ""}`;
}
