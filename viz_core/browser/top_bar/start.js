// Where one begins: a large line for a sentence, and a few to choose from, above all else of the overview.

import { onKeys } from "../kit/composing.js";
import { button, el } from "../kit/dom.js";

const OFFERED = 2; // short examples that stand beside the line

// texts: of the top bar; examples: [[text, note]]; take(text): to the line in the bar, which sends it.
export function makeStart({ texts, examples }, take) {
  const input = el("input", {
    type: "text",
    placeholder: texts.start,
    "aria-label": texts.start,
    autocomplete: "off",
    spellcheck: "false",
    enterkeyhint: "go",
  });
  const go = () => {
    if (input.value.trim()) take(input.value);
    else {
      input.focus();
      input.setCustomValidity(texts.start);
      input.reportValidity(); // the browser says it beside the line
    }
  };
  input.addEventListener("input", () => input.setCustomValidity(""));
  onKeys(input, ({ key }) => {
    if (key === "Enter") go();
    else if (key === "Escape") input.blur();
  });
  const short = examples.toSorted(([one], [other]) => one.length - other.length).slice(0, OFFERED);
  const choices = short.map(([text]) => button(text, () => take(text), { class: "example" }));
  const node = el("div", { class: "start", role: "group", "aria-label": texts.start });
  node.append(input, button(texts.translate, go, { class: "main" }), el("span", { class: "or" }, texts.or), ...choices);
  return node;
}
