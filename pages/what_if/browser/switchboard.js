// The switchboard: every edit of the model as a switch. It shows the new state at once and sends Python the link
// for it.

import { dress, el } from "../../../viz_core/browser/kit/dom.js";
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
    const button = (className, text, title, onclick) =>
      el("button", { type: "button", class: className, title, "aria-label": title, onclick }, text);
    const flip = (name) => set(name, !state[name]);
    const only = button("set only", texts.only, texts.only_title, () => {
      alone = !alone;
      paintState();
    });
    const drawing = makeDrawing(
      data,
      {
        layer: (place) => change(toggled(state, "layers", place)),
        sublayer: (place) => change(toggled(state, "sublayers", place)),
        head: (place, only) => change(headClicked(state, place, alone || only)),
        uniform: (kind) => change(toggled(state, "uniform", kind)),
      },
      only,
    );
    const flags = switches.map((name) =>
      button(name.startsWith("no_") ? "part" : "set", texts.switches[name], texts.switch_titles[name], () =>
        flip(name),
      ),
    );
    const temperature = makeTemperature(data, (value) => set("temperature", value));
    const typed = makeTyped(data, set);
    const back = button("plain", texts.back, texts.back_title, () => change(readState(nothing)));
    const unfold = button("set unfold", texts.unfold, texts.unfold_title, () => {
      open = !open;
      paintView(store.view);
    });
    const message = el("p", { class: "message" });
    root.replaceChildren(
      el(
        "div",
        { class: "board", role: "region", "aria-label": texts.board },
        el("div", { class: "line folded" }, message, unfold),
        el("div", { class: "scroll" }, drawing.node),
        el("div", { class: "line" }, ...flags, back),
        el("div", { class: "line" }, ...temperature.nodes, ...typed.nodes),
        typed.entries,
      ),
    );
    parts = { drawing, flags, temperature, typed, only, back, unfold, message };
  };

  const paintState = () => {
    const { switches } = data;
    parts.drawing.paint(state, alone);
    switches.forEach((name, at) => parts.flags[at].setAttribute("aria-pressed", String(state[name])));
    parts.temperature.paint(state);
    parts.typed.paint(state);
    parts.only.setAttribute("aria-pressed", String(alone));
    parts.back.disabled = linkOf(state) === "";
  };

  const paintView = (view) => {
    dress(root, store.theme);
    parts.typed.step(view.step);
    root.toggleAttribute("data-folded", view.lecture && !open);
    root.toggleAttribute("data-lecture", view.lecture);
    parts.unfold.setAttribute("aria-expanded", String(open));
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
    parts.message.textContent = edits.join(" ");
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
