// The switchboard: every edit of the model as a switch. It shows the new state at once and sends Python the link
// for it.

import { button, dress, el, setAttributes, setText } from "../../../viz_core/browser/kit/dom.js";
import { makeDrawing } from "./drawing.js";
import { makeTemperature, makeTyped } from "./inputs.js";
import { linkOf, makeSender, readState, toggled } from "./state.js";

// data: { session, heard, shape, columns, switches, temperature, words, state, edits, texts }; root.send("edits",
// message) goes to Python. Returns { update(data), destroy() }.
export function mountSwitchboard(root, data, store) {
  const sender = makeSender((message) => root.send("edits", message));
  let state = null;
  let alone = false;
  let open = false;
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
    const message = el("p", { class: "message" });
    const line = (...children) => el("div", { class: "line" }, ...children);
    root.replaceChildren(
      el(
        "div",
        { class: "board", role: "region", "aria-label": texts.board },
        el("div", { class: "line folded" }, message, unfold),
        el("div", { class: "scroll" }, drawing.node),
        line(...flags, back),
        line(...temperature.nodes, ...typed.nodes),
        typed.entries,
      ),
    );
    parts = { drawing, flags, temperature, typed, only, back, unfold, message };
  };

  const paintState = () => {
    parts.drawing.paint(state, alone);
    data.switches.forEach((name, at) => setAttributes(parts.flags[at], { "aria-pressed": state[name] }));
    parts.temperature.paint(state);
    parts.typed.paint(state);
    setAttributes(parts.only, { "aria-pressed": alone });
    parts.back.disabled = linkOf(state) === "";
  };

  const paintView = (view) => {
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
    setText(parts.message, edits.join(" "));
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

// only: the head stays alone in its attention, or is no longer the only one. Else it is taken out or put back; where
// others stay alone, it comes to them.
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
