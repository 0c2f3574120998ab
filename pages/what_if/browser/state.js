// The edits as sets of places, as they stand in a link, and how they are sent to Python. Numbers count from 0 here and
// from 1 in the link. Places are texts, such as "cross.3.0" of heads, "decoder.2" of layers, "decoder.2.ffn" of
// sub-layers.

import { repeating } from "../../../viz_core/browser/kit/timing.js";

const SETS = ["heads", "only", "layers", "sublayers", "uniform"];

// from: as Python sends it.
export function readState(from) {
  const sets = SETS.map((name) => [name, new Set(from[name].map((place) => [].concat(place).join(".")))]);
  const typed = ["force", "swap"].map((name) => [name, new Map(from[name])]);
  return { ...from, ...Object.fromEntries([...sets, ...typed]) };
}

// A copy with a place put in or taken out.
export function toggled(state, name, place) {
  const next = new Set(state[name]);
  if (!next.delete(place)) next.add(place);
  return { ...state, [name]: next };
}

// As `Edits.from_link` reads it.
export function linkOf(state) {
  const entries = Object.entries(state).flatMap(([name, value]) => {
    if (value instanceof Set) return entriesOf([...value]).map((entry) => `${name}.${entry}`);
    if (value instanceof Map) return [...value].map(([index, text]) => `${name}.${index + 1}.${text}`);
    if (name === "temperature") return value === 1 ? [] : [`${name}.${value}`];
    return value ? [name] : [];
  });
  return entries.map((entry) => entry.replaceAll("~", "~~")).join("~");
}

// Places that differ in one number alone become one entry: cross.0.1, cross.0.2, cross.1.1, cross.1.2 → cross.1-2.2-3.
function entriesOf(places) {
  let rows = places.map((place) => place.split(".").map((part) => (/^\d+$/.test(part) ? Number(part) + 1 : part)));
  const numbers = rows.length
    ? [...rows[0].keys()].filter((column) => typeof rows[0][column] === "number").reverse()
    : [];
  for (const column of numbers) {
    const groups = new Map();
    for (const row of rows) {
      const key = JSON.stringify(row.with(column, null));
      groups.set(key, [...(groups.get(key) ?? []), row[column]]);
    }
    rows = [...groups].map(([key, found]) => JSON.parse(key).with(column, ranges(found)));
  }
  return rows.map((row) => row.join("."));
}

// [1, 2, 3, 5] → "1-3_5"
function ranges(numbers) {
  const runs = [];
  for (const each of [...numbers].sort((a, b) => a - b)) {
    if (runs.length && runs.at(-1)[1] === each - 1) runs.at(-1)[1] = each;
    else runs.push([each, each]);
  }
  return runs.map(([from, to]) => (from === to ? from : `${from}-${to}`)).join("_");
}

const UNHEARD = 1500; // ms

// deliverToPython(message). Returns { send(link), adopt(data), stop() }.
export function makeSender(deliverToPython) {
  let session = null;
  let sent = 0;
  let heard = 0;
  let link = "";
  const delivery = repeating(
    () => deliverToPython({ number: sent, link }),
    () => heard < sent,
    () => UNHEARD,
  );
  return {
    send(text) {
      sent += 1;
      link = text;
      delivery.begin();
    },
    // Whether Python has heard everything, so that its state is the newest.
    adopt(from) {
      if (from.session !== session) [session, sent, heard] = [from.session, from.heard, from.heard];
      heard = Math.max(heard, from.heard);
      if (heard >= sent) delivery.stop();
      return heard >= sent;
    },
    stop: delivery.stop,
  };
}
