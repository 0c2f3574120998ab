// The address of what is shown. Python writes it at the end of a run; in between, the browser does.

import params from "viz:params";

const OF_STREAMLIT = ["embed", "embed_options"];

// The parameters of a view's address. kept: those that only Python changes; first: of the others, the values that are left out.
export function parametersOf(view, { kept, first }) {
  const asked = new URLSearchParams(kept);
  for (const [name, value] of Object.entries(first)) {
    const shown = asText(name, view[name]);
    if (shown !== value) asked.set(name, shown);
  }
  return asked;
}

function asText(name, value) {
  if (value === null || value === false) return "";
  const { kind, first } = params.view[name];
  if (kind === "Cell") return value.map((place) => place + 1).join("-");
  if (kind === "Item") return String(value + first);
  if (kind === "Number") return String(Number(value.toPrecision(6)));
  return value === true ? "on" : value;
}

// One entry of the browser's history for each view that somebody rested on.
export function writeAddress(asked) {
  const now = new URLSearchParams(location.search);
  for (const name of OF_STREAMLIT) if (now.has(name)) asked.set(name, now.get(name));
  if (!sameParameters(asked, now)) history.pushState({}, "", `${location.pathname}${asked.size ? `?${asked}` : ""}`);
}

export function sameParameters(one, other) {
  const sorted = (asked) => JSON.stringify([...asked].sort());
  return sorted(new URLSearchParams(one)) === sorted(new URLSearchParams(other));
}

// The link to a view without what belongs to the stage.
export function linkTo(asked) {
  const left = new URLSearchParams(asked);
  for (const name of params.staged) left.delete(name);
  return `${location.origin}${location.pathname}${left.size ? `?${left}` : ""}`;
}
