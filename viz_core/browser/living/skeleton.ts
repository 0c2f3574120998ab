// The elements of a page without a server, around its parts.

import { el, setText } from "../kit/dom";
import type { Placed } from "./data";

export function makeSkeleton() {
  const at = (name: string, ...inner: Element[]) => el("div", { class: `at-${name}` }, ...inner);
  const [rail, bar, controls, below, foot] = [at("rail"), at("bar"), at("controls"), at("below"), at("foot")];
  const [heading, caption] = [el("h1", {}), el("p", {})];
  const status = el("p", { class: "at-status", role: "status" });
  const notes = el("div", { class: "at-notes", role: "status" });
  const absent = el("p", { class: "at-absent" });
  const main = el("main", { class: "st-key-_page" });
  const header = el("header", { class: "st-key-_head" }, heading, caption);
  document.body.prepend(rail, bar, header, status, notes, controls, main, absent, below, foot);
  const places: Record<string, HTMLElement> = {
    rail,
    access: foot,
    address: foot,
    player: foot,
    top_bar: bar,
    control: controls,
    share: below,
    talk_list: below,
  };
  return {
    main,
    of: ({ name }: Pick<Placed, "name" | "key">) => places[name] ?? (name.endsWith("arithmetic") ? below : main),
    say: (text: string) => setText(status, text),
    explain: (text: string) => setText(absent, text),
    note: (lines: string[]) => notes.replaceChildren(...lines.map((line) => el("p", {}, line))),
    title(title: string, texts: string[]) {
      setText(heading, title);
      caption.replaceChildren(...texts.map((text, index) => el(index % 2 ? "b" : "span", {}, text)));
      document.title = title;
    },
  };
}
