// Controls: what is shown, and behind "More" how. The stages of the computation are the player's.

import { button, el, setAttributes, setText, toolbar } from "../kit/dom.js";
import { fill, percent } from "../kit/numbers.js";
import { possible } from "./data";

const SHOW = ["one", "mean", "layer", "model"];
// A switch: field of the view, its value when off and when on.
const SWITCHES = {
  lines: ["form", "matrix", "lines"],
  neurons: ["form", "matrix", "neurons"],
  words: ["unit", "tokens", "words"],
  log: ["scale", "linear", "log"],
  order: ["order", "sentence", "weight"],
  specials: ["specials", "show", "hide"],
};

let isMore = false; // on all pages, once it was asked for

// able: of a view, which switches mean something.
export function mountControls(texts, store, toggleWhole, able = possible) {
  const named = (name, act, more = {}) => button(texts[name], act, { title: texts[`long_${name}`], ...more });
  const buttonsOf = (names, make) => Object.fromEntries(names.map((name) => [name, make(name)]));
  const show = buttonsOf(SHOW, (name) => named(`show_${name}`, () => store.set({ show: name })));
  const switches = buttonsOf(Object.keys(SWITCHES), (name) => {
    const [field, off, on] = SWITCHES[name];
    return named(`switch_${name}`, () => store.set({ [field]: store.view[field] === on ? off : on }));
  });
  const whole = named("whole", toggleWhole, { class: "whole" });
  const heads = el("div", { class: "group", role: "group", "aria-label": texts.show }, ...Object.values(show));
  const row = el("div", { class: "switches" }, ...Object.values(switches));
  const more = named("more", () => {
    isMore = !isMore;
    row.hidden = !isMore;
    setAttributes(more, { "aria-expanded": isMore });
  });
  const pattern = el("p", { class: "pattern" });
  const bar = toolbar(texts.options, { class: "bar options" }, heads, more, row, pattern, whole);

  // found: the pattern of the head that is shown, or null.
  const paint = (view, { canWhole, isWhole, found }) => {
    const words = found && fill(texts[`pattern_${found.name}`], { share: percent(found.share) });
    setText(pattern, words || "", { title: words || null });
    bar.hidden = view.lecture; // one idea a screen
    const may = able(view);
    const isSet = Object.values(SWITCHES).some(([field, , on]) => view[field] === on);
    isMore ||= isSet; // what is set is seen, and stays where it was when it is not any more
    more.hidden = isSet;
    row.hidden = !isMore;
    setAttributes(more, { "aria-expanded": isMore });
    for (const name of SHOW) setAttributes(show[name], { "aria-pressed": view.show === name });
    for (const [name, [field, , value]] of Object.entries(SWITCHES)) {
      const means = may[name] ?? true;
      setAttributes(switches[name], { "aria-pressed": means && view[field] === value, disabled: !means });
    }
    whole.hidden = !canWhole;
    setAttributes(whole, { "aria-pressed": isWhole });
  };
  return { bar, paint };
}
