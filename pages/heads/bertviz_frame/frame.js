// Around bertviz, for both views: which side is which, and in words what its lines show.

const { params, words, letters } = window.payload;
const root = document.querySelector("#bertviz");
const drawing = root.querySelector("#vis");
const strip = root.querySelector(".reading");
const fill = (template, values) => template.replace(/\[\[(\w+)\]\]/g, (_, name) => String(values[name]));
const share = (weight) => `${Number((100 * weight).toFixed(1))} %`;
const attention = () => params.attention[root.querySelector("#filter").value];

function el(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

// The strip keeps its place and its height: nothing below it jumps.
function say(lead, entries = []) {
  strip.replaceChildren(entries.length ? el("b", {}, lead) : lead, ...entries.flatMap((entry) => [" ", entry]));
}

function colourDot(index) {
  const dot = el("i", { class: "dot" });
  dot.style.background = d3.schemeCategory10[index % 10];
  return dot;
}

// One stop for Tab among many; the arrows go on from there, `across` of them in a row.
function rove(items, across = 1) {
  const go = (index) => {
    if (!items[index]) return;
    for (const item of items) item.setAttribute("tabindex", item === items[index] ? 0 : -1);
    items[index].focus();
  };
  items.forEach((item, index) => {
    item.setAttribute("tabindex", index ? -1 : 0);
    item.addEventListener("keydown", (event) => {
      const by = { ArrowDown: across, ArrowUp: -across, ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!by) return;
      event.preventDefault();
      go(index + by);
    });
  });
}

// A token wider than its place is set closer.
function fit(texts) {
  for (const text of texts) {
    if (text.getComputedTextLength() <= letters) continue;
    text.setAttribute("textLength", letters);
    text.setAttribute("lengthAdjust", "spacingAndGlyphs");
  }
}

// bertviz names no side: these are the heads of its two columns.
function nameSides() {
  const { queries, keys } = attention();
  root.querySelector(".queries").replaceChildren(el("b", {}, words.query_side), " ", queries);
  root.querySelector(".keys").replaceChildren(el("b", {}, words.key_side), " ", keys);
}

// bertviz draws anew when another attention or layer is picked.
function atEachDrawing(run) {
  const all = () => { nameSides(); run(); };
  new MutationObserver(all).observe(drawing, { childList: true });
  all();
}
