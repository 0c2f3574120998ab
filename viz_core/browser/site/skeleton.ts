// The elements of a page without a server, and its parts, mounted in them.

import { el, setText } from "../kit/dom";
import type { Placed } from "./data";
import { bytesOf } from "../../web/src/payload";
import { textsIn } from "../../web/src/texts";
import type { Called } from "../kit/payload";

const texts = textsIn("app.site");
const covers = textsIn("app.covered");
const SOON = 300; // ms that work may take before its progress is shown

export function makeSkeleton() {
  const rail = el("div", { class: "at-rail" });
  const at = (name: string) => el("section", { class: `at-${name}` });
  const [bar, controls, below, foot] = [at("bar"), at("controls"), at("below"), at("foot")];
  const [heading, caption] = [el("h1", {}), el("p", {})];
  const status = el("p", { class: "at-status", role: "status" });
  const progress = el("p", { class: "at-progress", role: "status" });
  let [done, timer] = ["", 0];
  const notes = el("div", { class: "at-notes", role: "status" });
  const row = el("div", { class: "row" });
  const words = (said: string[]) => said.map((text, index) => el(index % 2 ? "b" : "span", {}, text));
  const tried = el("div", { class: "at-tried" });
  const [covered, ofFigure] = [el("p", { class: "covered" }), el("p", { class: "covered of-figure" })];
  controls.append(progress, status, notes, tried, row, covered, ofFigure);
  const absent = el("p", { class: "at-absent" });
  const main = el("main", { class: "st-key-_page" });
  const header = el("header", { class: "st-key-_head" }, heading, caption);
  below.append(absent);
  document.body.prepend(rail, bar, header, controls, main, below, foot);
  const places: Record<string, HTMLElement> = {
    rail,
    access: foot,
    address: foot,
    player: foot,
    top_bar: bar,
    control: row,
    link: row,
    said: below,
    share: below,
    try_this: below,
    ways: below,
    talk_list: below,
  };
  return {
    main,
    of: ({ name, key, isBelow }: Pick<Placed, "name" | "key" | "isBelow">) =>
      key === "tried" ? tried : isBelow ? main : (places[name] ?? (name.endsWith("arithmetic") ? below : main)),
    say: (text: string) => setText(status, text),
    // How far the work has come; "" once it is done. It lies over the page, which stays where it is.
    tell(text: string) {
      done = text;
      if (!text || progress.textContent) setText(progress, text);
      else timer ||= window.setTimeout(() => setText(progress, done), SOON);
      if (text) return;
      clearTimeout(timer);
      timer = 0;
    },
    explain: (text: string) => setText(absent, text),
    name() {
      for (const [name, node] of Object.entries({ bar, controls, below, foot } as const))
        node.setAttribute("aria-label", texts[`region_${name as "bar"}`]);
    },
    note: (lines: string[]) => notes.replaceChildren(...lines.map((line) => el("p", {}, line))),
    // What is said in place of what Predict covers. isOpen: whether nothing gives the next word away; hidesIt: whether something does,
    // and no part asks for it.
    cover(isOpen: boolean, hidesIt: boolean, hidesFigure: boolean) {
      document.documentElement.style.setProperty("--to-guess", isOpen ? "visible" : "hidden");
      setText(covered, hidesIt ? covers.covered : "");
      setText(ofFigure, hidesFigure ? covers.covered_figure : "");
    },
    title(title: string, said: string[], hint: string[]) {
      setText(heading, title);
      caption.replaceChildren(...words(said), el("span", { class: "hint" }, ...words(hint)));
      document.title = title;
    },
  };
}

// Mounts parts as Streamlit does: each in a separate element, mostly in a shadow root, and calls them again with new data.

type Run = (called: Called) => unknown;
type Mounted = { host: HTMLElement; root: ParentNode & Node; end: unknown };

const FOLLOWING = ["access", "rail"]; // rewrite their words; others are mounted anew in another language, as in components.py

export function makeMounter(part: (name: string) => Run, placeOf: (placed: Placed) => HTMLElement) {
  const keyOf = ({ name, key }: Placed) => (FOLLOWING.includes(name) ? key : `${key} ${document.documentElement.lang}`);
  const mounted = new Map<string, Mounted>();

  return {
    mount(placed: Placed, send: Called["setTriggerValue"]) {
      const { name, data, packed, offStage } = placed;
      const key = keyOf(placed);
      const known = mounted.get(key) ?? makeHost(placed);
      mounted.set(key, known);
      known.host.toggleAttribute("data-off-stage", Boolean(offStage));
      const place = placeOf(placed);
      if (known.host.parentElement !== place) place.append(known.host);
      if (name === "html") known.host.innerHTML = String(data?.html); // recorded by us, who have escaped what was typed
      const sent = (packed === undefined ? [data ?? {}] : bytesOf(packed)) as Called["data"];
      if (name !== "html") known.end = part(name)({ data: sent, parentElement: known.root, setTriggerValue: send });
    },

    // Takes away all others, and puts these into their order.
    leave(parts: readonly Placed[]) {
      const keys = new Set(parts.map(keyOf));
      for (const [key, { host, end }] of mounted) {
        if (keys.has(key)) continue;
        mounted.delete(key);
        host.remove();
        if (typeof end === "function") end();
      }
      const last = new Map<Element | null, HTMLElement>(); // place → the host before
      for (const { host } of parts.flatMap((each) => mounted.get(keyOf(each)) ?? [])) {
        const before = last.get(host.parentElement);
        if (before && before.nextSibling !== host) before.after(host);
        last.set(host.parentElement, host);
      }
    },
  };
}

function makeHost({ name, inPage }: Placed): Mounted {
  const host = el("div", { "data-part": name });
  const root = inPage ? host : host.attachShadow({ mode: "open" });
  root.append(el("div", { class: `viz-part viz-${name.replaceAll("_", "-")}` }));
  return { host, root, end: null };
}
