// The line above the lens: where one is, from the whole to a single cell, each a way back; the query and the key of the cell;
// and how the attention is drawn.

import { button, el, select, setAttributes, setText, toolbar } from "../kit/dom.js";
import { clauses, fill } from "../kit/numbers.js";
import { isEncoders, namedPart, partOf } from "../kit/operations.js";

const FORMS = ["lines", "neurons"];

// choose: (side, index) => the token whose numbers are shown. leave: (page) => goes there; null in a file of its own.
export function makeCrumbs(data, store, { leave, links, choose }) {
  const { texts } = data;
  const words = texts.lens;
  const whole = button(words.whole, () => store.set({ open: "", cell: null }), {
    class: "crumb",
    title: words.long_whole,
  });
  const lane = el("span", { class: "crumb" });
  const block = button("", () => store.set({ open: partOf(store.view.open), cell: null, show: "one" }));
  const sub = el("span");
  const head = button("", () => store.set({ show: "layer", cell: null }), { class: "crumb", title: words.long_head });
  const pick = (...cell) => store.set({ cell });
  const query = select(words.query, [], () => pick(Number(query.value), Number(key.value)));
  const key = select(words.key, [], () => pick(Number(query.value), Number(key.value)));
  const close = button("✕", () => store.set({ cell: null }), {
    class: "close",
    title: words.close_cell,
    "aria-label": words.close_cell,
  });
  const token = select(words.token, [], (value) => {
    const [side, index] = value.split(" ");
    choose(side, Number(index));
  });
  const cell = el("span", { class: "cell" }, query, el("i", { "aria-hidden": true }, "→"), key, close);
  setAttributes(query, { class: "of-q" });
  setAttributes(key, { class: "of-k" });
  const heads = button(words.all_heads, () =>
    store.set({ show: store.view.show === "one" ? "layer" : "one", cell: null }),
  );
  const forms = FORMS.map((form) =>
    button(words[form], () => store.set({ form: store.view.form === form ? "matrix" : form })),
  );
  const code = button(words.code_sign, () => store.set({ code: !store.view.code }), { title: words.code });
  const page = el("span", { class: "links" });
  const options = el("span", { class: "options" }, heads, ...forms, code, page);
  const node = toolbar(
    words.path,
    { class: "crumbs", hidden: true },
    whole,
    lane,
    block,
    sub,
    head,
    token,
    cell,
    options,
  );
  let offered = "";

  const offer = ({ rows, columns, there, thereColumns }) => {
    const wanted = JSON.stringify([
      rows.map(({ label }) => label),
      columns.map(({ label }) => label),
      there,
      thereColumns,
    ]);
    if (wanted === offered) return;
    offered = wanted;
    const list = (all) => all.map(({ tokens, label, reads }) => el("option", { value: tokens[0] }, reads ?? label));
    query.replaceChildren(...list(rows.slice(0, there)));
    key.replaceChildren(...list(columns.slice(0, thereColumns)));
  };

  // The tokens among which one chooses: of the encoder all, of the embedding also those of the target so far.
  const choices = ({ open, step }) => {
    const of = (side, count) => data[side].slice(0, count).map((label, index) => [`${side} ${index}`, label]);
    if (open === "embedding") return [...of("source", data.S), ...of("target", step + 1)];
    return isEncoders(open) ? of("source", data.S) : [];
  };
  let tokens = "";
  const paintToken = (view, shown) => {
    const all = shown ? choices(view) : [];
    token.hidden = !all.length;
    if (token.hidden) return;
    if (tokens !== all.join("\n"))
      token.replaceChildren(...all.map(([value, label]) => el("option", { value }, label)));
    tokens = all.join("\n");
    token.value = `${shown.side} ${shown.index}`;
  };

  // frame: of the attention in focus, or null; place: [row, column] that is spoken of; shown: the token of another block.
  const paint = (view, frame, place, shown) => {
    paintToken(view, shown);
    const stack = isEncoders(view.open) ? "encoder" : "decoder";
    const ofLayer = !["memory", "embedding", "softmax"].includes(view.open);
    const isTight = node.classList.contains("tight");
    const numbers = { layer: view.layer + 1, layers: data.depth[stack] };
    const layer = fill(isTight ? words.of_layer : texts.layer_of, numbers);
    setText(lane, ofLayer ? clauses([texts[stack], layer]) : "");
    lane.hidden = !ofLayer || (Boolean(view.cell) && isTight);
    const part = namedPart(view.open);
    setText(block, texts.name[partOf(view.open)] ?? "", { class: part ? "crumb" : "crumb here" });
    setText(sub, part && words[part], { class: part ? "crumb here" : "crumb", hidden: !part });
    head.hidden = !frame || view.show !== "one";
    setText(head, fill(words.of_head, { head: view.head + 1 }));
    const single = frame && !frame.grid && frame.form !== "lines";
    cell.hidden = !single || frame.selection.covered;
    options.hidden = view.lecture;
    for (const one of [heads, ...forms]) one.hidden = !frame;
    setAttributes(code, { "aria-pressed": view.code });
    if (frame) {
      setAttributes(heads, { "aria-pressed": frame.grid });
      FORMS.forEach((form, at) => setAttributes(forms[at], { "aria-pressed": view.form === form }));
    }
    if (!cell.hidden) {
      offer(frame.selection);
      query.value = String(frame.selection.rows[place[0]]?.tokens[0]);
      key.value = String(frame.selection.columns[place[1]]?.tokens[0]);
      close.hidden = !view.cell;
    }
    const to = leave ? links(view.open) : [];
    if (page.dataset.of !== view.open) {
      page.dataset.of = view.open;
      page.replaceChildren(
        ...to.map(([name, address]) => {
          const title = fill(texts.page, { name });
          return button(name, () => leave(address), { class: "link", role: "link", title });
        }),
      );
    }
  };
  return { node, paint, focus: () => whole.focus({ preventScroll: true }) };
}
