// A line of the top bar that is typed in place: it lies over the tokens while one types, with examples below it.

import { onKeys } from "../kit/composing.js";
import { button, el, repeating, setAttributes, setText } from "../kit/dom.js";

const CLICK = 500; // ms that a click may last
export const TAKEN_AFTER = 4000; // ms until what Python has not taken is said again: it may have been busy with another page

// side: "source" or "target"; say(side, text): to Python. Returns { nodes, open, hide, take }.
export function makeField(side, say) {
  let typed = "";
  let suggested = ""; // what stands there while nothing is typed
  let known = true; // whether there are tokens to see
  let wanted = null; // what Python was told and has not taken
  const telling = repeating(
    () => say(side, wanted),
    () => wanted !== null,
    () => TAKEN_AFTER,
  );
  const input = el("input", { type: "text", autocomplete: "off", spellcheck: "false", enterkeyhint: "go" });
  const list = el("div", { class: "examples" });
  const over = el("div", { class: "over", hidden: true }, input, list);
  const pencil = button("", open, { class: "edit" });
  const reset = button("", () => take(""), { class: "edit" });

  function open() {
    if (!over.hidden && over.getRootNode().activeElement === input) return;
    over.hidden = false;
    document.addEventListener("pointerdown", elsewhere, true);
    input.value = (wanted ?? typed) || suggested;
    input.focus();
    input.select();
  }

  const close = () => {
    over.hidden = !always();
    document.removeEventListener("pointerdown", elsewhere, true);
  };

  // What was typed is not lost when one clicks elsewhere; and on the page that click does no more.
  function elsewhere(event) {
    if (!known || event.composedPath().includes(over)) return;
    take(input.value);
    const page = document.querySelector("[data-testid=stMain]");
    if (!page?.contains(event.target)) return;
    event.stopPropagation();
    const swallow = (click) => click.stopPropagation();
    page.addEventListener("click", swallow, { capture: true, once: true });
    setTimeout(() => page.removeEventListener("click", swallow, true), CLICK); // the press may have been no click
  }

  // Without a sentence there is nothing else to see.
  const always = () => side === "source" && !known;

  const take = (given) => {
    const text = given.toWellFormed?.() ?? given;
    input.value = text;
    close();
    if (text === (wanted ?? typed) || (text === suggested && !typed)) return;
    wanted = text;
    telling.begin();
  };

  onKeys(input, (event) => {
    if (event.key !== "Enter" && event.key !== "Escape") return;
    if (event.key === "Enter") take(input.value);
    else {
      input.value = typed;
      close();
    }
    if (!always()) input.blur(); // so that one who opens it again at once has the focus anew
  });
  input.addEventListener("blur", () => {
    if (!over.hidden) take(input.value);
  });

  // data: of the bar. The line's nodes beside its tokens.
  const nodes = ({ texts, source, typed: all, suggested: others, examples }, lang) => {
    typed = all[side];
    suggested = others[side];
    known = source.length > 0;
    if (known && over.hidden === false && input !== over.getRootNode().activeElement) close();
    if (wanted === typed) {
      wanted = null;
      telling.stop();
    }
    setAttributes(input, { placeholder: texts[`placeholder_${side}`], "aria-label": texts[side], lang });
    const words = texts[`edit_${side}_words`];
    const title = texts[`edit_${side}`];
    pencil.replaceChildren(el("span", { "aria-hidden": true }, "✎ "), el("i", {}, words));
    setAttributes(pencil, { title, "aria-label": words ? null : title });
    const keep = (event) => event.preventDefault(); // the field keeps the focus until the choice is made
    const choice = ([text, note]) => {
      const node = button("", () => take(text), { onpointerdown: keep, onmousedown: keep, tabindex: -1 });
      node.append(el("span", {}, text), el("i", {}, note));
      return node;
    };
    list.replaceChildren(...(side === "source" ? examples.map(choice) : []));
    setAttributes(list, { role: "group", "aria-label": texts.examples, hidden: side !== "source" || !known });
    setText(reset, texts.reset, { hidden: side !== "target" || !typed });
    return [pencil, reset, over];
  };

  const hide = (hidden) => {
    pencil.style.visibility = hidden ? "hidden" : "";
  };

  return { nodes, open, hide, take };
}
