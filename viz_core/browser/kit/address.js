// The address of what is shown. Python writes it at the end of a run; in between, the browser does.

const OF_STREAMLIT = ["embed", "embed_options"];
const OF_THE_STAGE = ["talk", "at", "lecture"]; // the audience gets the view, with all its controls

// The parameters of a view's address. kept: those that only Python changes; first: of the others, the values that are left out.
export function parametersOf(view, { kept, first }) {
  const asked = new URLSearchParams(kept);
  for (const [name, value] of Object.entries(first)) {
    const shown = asText(name, view[name]);
    if (shown !== value) asked.set(name, shown);
  }
  return asked;
}

// Counts from 1, as the page does.
function asText(name, value) {
  if (name === "cell") return value ? value.map((index) => index + 1).join("-") : "";
  if (name === "lecture") return value ? "on" : "";
  if (name === "temperature") return String(Number(value.toPrecision(6)));
  return typeof value === "number" ? String(value + 1) : (value ?? "");
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
  for (const name of OF_THE_STAGE) left.delete(name);
  return `${location.origin}${location.pathname}${left.size ? `?${left}` : ""}`;
}
