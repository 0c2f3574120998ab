// Head view: a button per head, tokens that the keyboard reaches, and in words what each active head attends to.

import { el, setAttributes } from "../../../viz_core/browser/kit/dom";
import { fill } from "../../../viz_core/browser/kit/numbers";
import {
  atEachDrawing,
  attention,
  colours,
  drawing,
  fit,
  followPage,
  inside,
  params,
  readable,
  rove,
  say,
  share,
  words,
} from "./frame";

const colourOf = (head: number) => colours.heads[head % colours.heads.length] as string;
const layers = inside<HTMLSelectElement>("#layer");
const weights = () => attention().attn[params.include_layers.indexOf(Number(layers.value))] ?? [];
const squares = () => [...drawing.querySelectorAll("svg > g:last-child > rect")];
const isOn = (head: number) => squares()[head]?.getAttribute("fill") === colourOf(head); // bertviz makes inactive ones paler

function colourDot(head: number) {
  const dot = el("i", { class: "dot" });
  dot.style.background = colourOf(head);
  return dot;
}

const buttons = params.head_names.map((name, head) => {
  const press = (what: string) => {
    squares()[head]?.dispatchEvent(new MouseEvent(what));
    showHeads();
  };
  const click = (event: MouseEvent) => press(event.shiftKey ? "dblclick" : "click");
  const acts = { onclick: click, ondblclick: () => press("dblclick") };
  const node = el("button", { type: "button", ...acts }, fill(words.head_name, { head: name }));
  node.prepend(colourDot(head));
  return node;
});
inside(".heads").append(...buttons);

function showHeads() {
  buttons.forEach((node, head) => setAttributes(node, { "aria-pressed": isOn(head) }));
}

// Reads out the key that each head attends to most from a query, or the query that attends most to a key.
function read(left: boolean, index: number) {
  const { left_text: queries, right_text: keys } = attention();
  const entries = weights().flatMap((head, h) => {
    const cells = left ? (head[index] ?? []) : head.map((row) => row[index] ?? 0);
    const most = Math.max(...cells);
    const strongest = most ? `«${(left ? keys : queries)[cells.indexOf(most)]}» ${share(most)}` : words.nothing;
    return isOn(h) ? [[colourDot(h), `${params.head_names[h]}: ${strongest}`]] : [];
  });
  say(fill(left ? words.looks : words.looked_at, { token: (left ? queries : keys)[index] }), entries);
}

function reach(side: "left" | "right") {
  const left = side === "left";
  const column = inside<SVGElement>(`#vis #${side}`);
  const tokens = [...column.querySelectorAll<SVGElement>(":scope > g:last-child > g")];
  tokens.forEach((token, index) => {
    const label = attention()[`${side}_text`][index] ?? "";
    readable(token, fill(left ? words.a_query : words.a_key, { token: label }), () => read(left, index), column);
  });
  column.addEventListener("mouseleave", () => say("", [], words.hint));
  rove(tokens);
  fit(column.querySelectorAll("text"));
}

atEachDrawing(() => {
  reach("left");
  reach("right");
  showHeads();
  say("", [], words.hint);
});

// Keeps the drawing's layer and the page's in step, whichever changes.
followPage(({ view }) => {
  const layer = view.layer + 1;
  if (Number(layers.value) === layer || !params.include_layers.includes(layer)) return;
  layers.value = String(layer);
  layers.dispatchEvent(new Event("change"));
});
layers.addEventListener("change", () => window.around()?.set({ layer: Number(layers.value) - 1 }));
