// Above the lens: the breadcrumbs from the whole model to a single cell, each a way back, the query and key of the cell, and the form in
// which the attention is drawn. Below it: the drawer with its code.

import { render } from "preact";
import { Button, Select } from "../../web/src/ui/elements";
import type { Store, View } from "../../web/src/ui/store";
import type { Entry, Place } from "../attention_view/data";
import type { Frame } from "../attention_view/picture";
import { toolbar, el, setAttributes } from "../kit/dom";
import { clauses, fill } from "../kit/numbers";
import { isEncoders, namedPart, partOf } from "../kit/operations";
import type { Overview, Side, Token } from "../overview/data";

const FORMS = ["lines", "neurons"] as const;
const OF_NO_LAYER = ["memory", "embedding", "softmax"];

interface CrumbsProps {
  data: Overview;
  store: Store;
  leave: ((address: string) => void) | null; // opens a page; null in a file
  links: (block: string) => [name: string, address: string][];
  choose: (side: Side, index: number) => void; // the token whose numbers are shown
  view: View;
  // for an attention in focus
  frame: Frame | null;
  place: Place; // of the cell that is read out
  token: Token | null; // for another block
  isTight: boolean;
}

export function makeCrumbs({ data, store, ...acts }: Pick<CrumbsProps, "data" | "store" | "leave" | "links" | "choose">) {
  const node = toolbar(data.texts.lens.path, { class: "crumbs", hidden: true });
  const paint = (now: Pick<CrumbsProps, "view" | "frame" | "place" | "token">) =>
    render(<Crumbs {...{ data, store, ...acts, ...now, isTight: node.classList.contains("tight") }} />, node);
  return { node, paint, focus: () => node.querySelector("button")?.focus({ preventScroll: true }) };
}

function Crumbs(props: CrumbsProps) {
  const { data, store, leave, links, choose, view, frame, token, isTight } = props;
  const { texts } = data;
  const { lens: words } = texts;
  const { open, cell } = view;
  const part = namedPart(open) as "" | "qkv" | "out";
  const stack = isEncoders(open) ? "encoder" : "decoder";
  const layer = fill(isTight ? words.of_layer : texts.layer_of, { layer: view.layer + 1, layers: data.depth[stack] });
  const tokens = token ? choices(data, view) : [];
  const crumb = (name: string, set: Partial<View>, title?: string, here = "") => (
    <Button class={`crumb${here}`} title={title} act={() => store.set({ cell: null, ...set })} children={name} />
  );
  const option = (name: string, isOn: boolean, set: Partial<View>, title?: string) => (
    <Button key={name} title={title} aria-pressed={isOn} act={() => store.set(set)} children={name} />
  );
  const choosing = (chosen: string) => {
    const [side = "", index] = chosen.split(" ");
    choose(side as Side, Number(index));
  };
  return (
    <>
      {crumb(words.whole, { open: "" }, words.long_whole)}
      {!OF_NO_LAYER.includes(open) && !(cell && isTight) && <span class="crumb">{clauses([texts[stack], layer])}</span>}
      {crumb(texts.name[partOf(open)] ?? "", { open: partOf(open), show: "one" }, undefined, part ? "" : " here")}
      {part && <span class="crumb here">{words[part]}</span>}
      {frame && view.show === "one" && crumb(fill(words.of_head, { head: view.head + 1 }), { show: "layer" }, words.long_head)}
      {token && tokens.length > 0 && (
        <Select label={words.token} options={tokens} chosen={`${token.side} ${token.index}`} choose={choosing} />
      )}
      {frame && !frame.grid && frame.form !== "lines" && !frame.selection.covered && <Cell {...props} {...frame.selection} />}
      <span class="options" hidden={view.lecture}>
        {frame && option(words.all_heads, frame.grid, { show: view.show === "one" ? "layer" : "one", cell: null })}
        {frame && FORMS.map((form) => option(words[form], view.form === form, { form: view.form === form ? "matrix" : form }))}
        {option(words.code_sign, view.code, { code: !view.code }, words.code)}
        <span class="links">
          {leave &&
            links(open).map(([name, address]) => (
              <Button key={name} class="link" role="link" title={fill(texts.page, { name })} act={() => leave(address)}>
                {name}
              </Button>
            ))}
        </span>
      </span>
    </>
  );
}

// The query and key of the cell.
function Cell({
  data,
  store,
  view,
  place: [row, column],
  ...selection
}: CrumbsProps & NonNullable<CrumbsProps["frame"]>["selection"]) {
  const { lens: words } = data.texts;
  const pick = (...cell: [number, number]) => store.set({ cell });
  const rows = selection.rows.slice(0, selection.there);
  const columns = selection.columns.slice(0, selection.thereColumns);
  const options = (all: Entry[]) => all.map(({ tokens, label, reads }) => [String(tokens[0]), reads ?? label]);
  const [query = -1, key = -1] = [selection.rows[row]?.tokens[0], selection.columns[column]?.tokens[0]];
  const [ofQuery, ofKey] = [query, key].map(String) as [string, string];
  const close = { title: words.close_cell, "aria-label": words.close_cell };
  return (
    <span class="cell">
      <Select class="of-q" label={words.query} options={options(rows)} chosen={ofQuery} choose={(to) => pick(Number(to), key)} />
      <i aria-hidden="true">→</i>
      <Select class="of-k" label={words.key} options={options(columns)} chosen={ofKey} choose={(to) => pick(query, Number(to))} />
      {view.cell && <Button class="close" {...close} act={() => store.set({ cell: null })} children="✕" />}
    </span>
  );
}

// Tokens to choose from: the source's for an encoder block; for the embedding also the target's so far.
function choices(data: CrumbsProps["data"], { open, step }: View) {
  const choicesOf = (side: "source" | "target", count: number) =>
    data[side].slice(0, count).map((label, index) => [`${side} ${index}`, label]);
  if (open === "embedding") return [...choicesOf("source", data.S), ...choicesOf("target", step + 1)];
  return isEncoders(open) ? choicesOf("source", data.S) : [];
}

// The code drawer: the lines that computed what is shown, with the current stage's line highlighted.

export function makeCode(data: Overview) {
  const label = data.texts.lens.code;
  const node = el("aside", { class: "code", hidden: true, tabindex: 0, role: "region", "aria-label": label });
  let seen: number | undefined; // the line last scrolled to

  // beside: px of the drawer when it is beside the picture; null: it is below.
  const place = (beside: { w: number; h: number } | null) => {
    node.classList.toggle("beside", Boolean(beside));
    setAttributes(node, { style: beside ? `width: ${beside.w}px; height: ${beside.h}px` : null });
  };

  const paint = ({ code: isOpen, stage }: View, block: string) => {
    const code = data.code[block];
    node.hidden = !isOpen || !code;
    if (!isOpen || !code) {
      seen = undefined;
      return;
    }
    const line = code.highlight[stage] ?? code.highlight[""];
    render(
      <>
        <p>{`${code.place}:${line}`}</p>
        <ol>
          {code.lines.map((words, at) => {
            const number = code.numbers[at];
            const style = { "--indent": `${words.length - words.trimStart().length}ch` };
            return (
              <li key={`${block} ${at}`} value={number} style={style} aria-current={number === line ? "true" : undefined}>
                {words.trim()}
              </li>
            );
          })}
        </ol>
      </>,
      node,
    );
    const now = node.querySelector<HTMLElement>("[aria-current]");
    if (now && seen !== line) node.scrollTop = now.offsetTop - node.clientHeight / 3;
    if (!seen && !node.classList.contains("beside")) node.scrollIntoView({ block: "center" }); // it may be below the window
    seen = line;
  };
  return { node, place, paint };
}
