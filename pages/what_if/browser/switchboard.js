// The switchboard: every edit of the model as a switch. It shows the new state at once and sends Python the link for it.
//
// The edits are sets of places, as in a link. Numbers count from 0 here and from 1 in the link. Places are texts,
// such as "cross.3.0" of heads, "decoder.2" of layers, "decoder.2.ffn" of sub-layers.

import {
  button,
  dress,
  el,
  repeating,
  saySideways,
  setAttributes,
  setText,
} from "../../../viz_core/browser/kit/dom.js";
import { forAudience } from "../../../viz_core/browser/kit/instructions.js";
import { makeDrawing, makeTemperature, makeTyped } from "./switches.js";

// data: { session, heard, shape, columns, switches, temperature, words, state, edits, texts }; root.send("edits",
// message) goes to Python. Returns { update(data), destroy() }.
export function mountSwitchboard(root, data, store) {
  const sender = makeSender((message) => root.send("edits", message));
  let state = null;
  let alone = false;
  let open = false;
  let all = null; // whether what stands behind "More" is shown; null until the reader says: where one of it is set
  let parts = null;
  let built = "";

  const change = (next) => {
    state = next;
    paintState();
    sender.send(linkOf(state));
  };
  const set = (name, value) => change({ ...state, [name]: value });

  const build = ({ switches, texts, nothing }) => {
    const named = (className, words, title, act) =>
      button(words, act, { class: className, title, "aria-label": title });
    const only = named("set only", texts.only, texts.only_title, () => {
      alone = !alone;
      paintState();
    });
    const act = {
      layer: (place) => change(toggled(state, "layers", place)),
      sublayer: (place) => change(toggled(state, "sublayers", place)),
      head: (place, keep) => change(headClicked(state, place, alone || keep)),
      uniform: (kind) => change(toggled(state, "uniform", kind)),
    };
    const drawing = makeDrawing(data, act, only);
    const flags = switches.map((name) => {
      const kind = name.startsWith("no_") ? "part" : "set";
      return named(kind, texts.switches[name], texts.switch_titles[name], () => set(name, !state[name]));
    });
    const temperature = makeTemperature(data, (value) => set("temperature", value));
    const typed = makeTyped(data, set);
    const back = named("plain", texts.back, texts.back_title, () => change(readState(nothing)));
    const unfold = named("set unfold", texts.unfold, texts.unfold_title, () => {
      open = !open;
      paintView(store.view);
    });
    const more = named("set", texts.more, texts.more_title, () => {
      all = !showsAll();
      paintState();
    });
    const message = el("p", { class: "message" });
    const scroller = el("div", { class: "scroll" }, drawing.node);
    saySideways(scroller);
    const line = (...children) => el("div", { class: "line" }, ...children);
    const rest = el("div", { class: "rest" }, line(...flags), line(...temperature.nodes, ...typed.nodes));
    root.replaceChildren(
      el(
        "div",
        { class: "board", role: "region", "aria-label": texts.board },
        el("div", { class: "line folded" }, message, unfold),
        scroller,
        line(more, typed.entries, back),
        rest,
      ),
    );
    parts = { drawing, flags, temperature, typed, only, back, more, rest, unfold, message };
  };

  const showsAll = () => all ?? (state.temperature !== 1 || data.switches.some((name) => state[name]));

  const paintState = () => {
    parts.drawing.paint(state, alone);
    data.switches.forEach((name, at) => setAttributes(parts.flags[at], { "aria-pressed": state[name] }));
    parts.temperature.paint(state);
    parts.typed.paint(state);
    setAttributes(parts.only, { "aria-pressed": alone });
    setAttributes(parts.more, { "aria-expanded": showsAll() });
    parts.rest.hidden = !showsAll();
    parts.back.disabled = linkOf(state) === "";
  };

  const paintView = (view) => {
    setText(parts.message, forAudience(data.edits.join(" "), store.view));
    dress(root, store.theme);
    parts.typed.step(view.step);
    setAttributes(root, { "data-folded": view.lecture && !open, "data-lecture": view.lecture });
    setAttributes(parts.unfold, { "aria-expanded": open });
  };

  const update = (next) => {
    data = next;
    const { session, heard, edits, state: theirs, ...rest } = data;
    const shape = JSON.stringify(rest);
    if (shape !== built) {
      built = shape;
      build(data);
    }
    if (sender.adopt({ session, heard })) state = readState(theirs);
    paintState();
    paintView(store.view);
  };

  update(data);
  const off = store.subscribe(paintView);
  return {
    update,
    destroy() {
      off();
      sender.stop();
    },
  };
}

// only: this head alone is kept in its attention, or, where it was, that is undone. Else it is removed or restored; where
// others alone are kept, it joins them.
function headClicked(state, place, only) {
  const attention = place.slice(0, place.lastIndexOf(".") + 1);
  const kept = [...state.only].filter((one) => one.startsWith(attention));
  if (only) {
    const rest = [...state.only].filter((one) => !one.startsWith(attention));
    const same = kept.length === 1 && kept[0] === place;
    return { ...state, only: new Set(same ? rest : [...rest, place]) };
  }
  return toggled(state, kept.length && !kept.includes(place) ? "only" : "heads", place);
}

const SETS = ["heads", "only", "layers", "sublayers", "uniform"];

// from: the state as Python sends it.
export function readState(from) {
  const sets = SETS.map((name) => [name, new Set(from[name].map((place) => [].concat(place).join(".")))]);
  const typed = ["force", "swap"].map((name) => [name, new Map(from[name])]);
  return { ...from, ...Object.fromEntries([...sets, ...typed]) };
}

// A copy of the state with a place added to one of its sets, or removed from it.
function toggled(state, name, place) {
  const next = new Set(state[name]);
  if (!next.delete(place)) next.add(place);
  return { ...state, [name]: next };
}

// The link, as `Edits.from_link` reads it.
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

const UNHEARD = 1500; // ms after which a message is sent again

// deliverToPython(message). Returns { send(link), adopt(data), stop() }.
function makeSender(deliverToPython) {
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
    // Returns whether Python has heard everything, so that its state is the newest.
    adopt(from) {
      if (from.session !== session) [session, sent, heard] = [from.session, from.heard, from.heard];
      heard = Math.max(heard, from.heard);
      if (heard >= sent) delivery.stop();
      return heard >= sent;
    },
    stop: delivery.stop,
  };
}
