// A view, or a talk's views, as a file without a server: shows what `viz_core/app/html_file.py` wrote into the document, and steps
// by keys. For the store, the file takes the server's place: it brings the next view. A file that computes: `live.ts`.

import { nth } from "../../web/src/payload";
import { type Texts as Parameters, queryOf, textsOf } from "../../web/src/address";
import { theStore } from "../../web/src/state";
import { textsIn } from "../../web/src/texts";
import type { Root, Store } from "../../web/src/ui/store";
import { START } from "../../web/src/view";
import { afterPause, answered, answerFrom } from "../kit/data";
import { dress, el, setText } from "../kit/dom";
import { installKeys, installPlayer, switchNotes } from "../kit/keys";
import type { Part } from "../kit/payload";
import { growFigures } from "../player/main";
import { mountPlayer } from "../player/player";
import { viewOf } from "../site/addresses";
import { mountTopBar } from "../top_bar/top_bar";
import { type FileData, makeUnpack, type Drawn, type FileView, type Unpack, makeLive } from "./live";
import { HANDOUT, showHandout } from "./handout";

const REST = 250; // ms without a change until the address follows
const LONG = "/in_context?"; // in the address of the view for which the engine first reads some 500 sentences

const texts = textsIn("app.downloads.alone");
const covered = textsIn("app.covered");

const NO_LESSON = { paths: [], lesson: false, todo: "", mark: "", exercise: null };

// data: from the document.
export async function openAlone(data: FileData, parts: Record<string, Part>) {
  const { views } = data;
  const store = theStore();
  store.theme = { ...data.theme, still: matchMedia("(prefers-reduced-motion: reduce)").matches };
  dress(document.documentElement, store.theme);
  // A shadow root for each part keeps their style sheets apart.
  const room: Room = (name, parent) => {
    const root: Root = el("div", { class: `viz-${name.replaceAll("_", "-")}` });
    const host = el("div", { "data-part": name });
    host.attachShadow({ mode: "open" }).append(el("style", {}, parts[name]?.style), root);
    parent.append(host);
    return root;
  };
  const unpack = makeUnpack(data.packed);
  answerFrom(async (address) => {
    const record = data.records[address];
    return record ? unpack(record) : (live?.answer(address) ?? "away");
  });
  const [nav, main, heading, caption] = ["nav", "main", "h1", "header p"].map((name) => document.querySelector(name));
  if (!nav || !main || !heading || !caption) return;
  const stage = makeStage(main, { room, parts, unpack, plotly: data.plotly }, store);
  let topBar: ReturnType<typeof mountTopBar> | null = null;
  const number = Number.parseInt(location.hash.slice(1), 10) || 1;
  const first = Math.min(Math.max(number, 1), views.length) - 1;
  let wanted: Wanted | null = null;
  let shown: FileView | null = null;
  let turning = Promise.resolve();
  let adopted = first;
  let going = first; // the view that is wanted, maybe of a sentence that the engine has not read yet
  let asked = viewOf(Object.fromEntries(new URLSearchParams(location.search))); // of the address, until the view has opened

  // Writes the typed sentence and the changed fields of the view into the address, if the browser lets a file change it.
  const write = () => {
    const [opened, now] = [{ ...START, ...nth(views, adopted).view }, store.view].map(textsOf) as [Parameters, Parameters];
    const changed = Object.entries(now).filter(([name, text]) => text !== opened[name]);
    const query = queryOf({ ...live?.parameters(), ...Object.fromEntries(changed) });
    try {
      history.replaceState(null, "", `${location.pathname}${query}${data.talk ? `#${adopted + 1}` : location.hash}`);
    } catch {} // in a frame
  };

  const adopt = ({ at, view: of, number }: Wanted) => {
    const { limits, note } = of;
    const talk = data.talk && { ...NO_LESSON, ...data.talk, at, page: limits.page, note };
    const view = { ...of.view, ...(at === first ? asked : {}) };
    store.adopt({ session: "file", path: "", visited: 0, brought: number, limits, view, exact: of.exact, talk });
    adopted = at;
    setText(heading, of.heading);
    caption.replaceChildren(...of.caption.map((text, index) => el(index % 2 ? "b" : "span", {}, text)));
    if (topBar) topBar.update(of.top_bar);
    else topBar = mountTopBar(live ? live.takes(room("top_bar", nav)) : room("top_bar", nav), of.top_bar, store);
  };

  // Turns only once everything is unpacked, so that heading and picture change together.
  const turn = async (next: Wanted) => {
    const isWanted = () => wanted === next; // not superseded
    if (!isWanted()) return;
    const { at, view } = next;
    const drawn = shown === view ? null : await stage.unpacked(view, isWanted);
    if (!isWanted()) return;
    if (drawn) stage.clear();
    adopt(next);
    asked = {};
    write();
    if (!drawn) return;
    shown = view;
    await stage.draw(view, drawn);
    const coming = views[at + 1]; // prepared in advance, but for what the engine would compute for seconds
    if (coming && view === views[at])
      stage.unpacked({ ...coming, drawn: coming.drawn.filter(({ address }) => !address.includes(LONG)) }, isWanted);
  };

  // One after the other: plotly draws over several frames and fails on a figure removed meanwhile.
  const show = (at: number, view: FileView) => {
    if (wanted?.at === at && wanted.view === view) return turning; // already under way
    const next = { at, view, number: (wanted?.number ?? 0) + 1 };
    wanted = next;
    turning = turning.then(() => turn(next));
    return turning;
  };
  const bring = async (at: number) => {
    going = at;
    await (live?.turn() ?? show(at, nth(views, at)));
  };
  const live =
    data.live &&
    makeLive(data.live, makeUnpack(data.packed), store, {
      view: () => nth(views, going),
      isTurning: () => going !== adopted,
      show: (view) => show(going, view),
      isShown: () => shown === wanted?.view,
      write,
    });

  if (location.hash === HANDOUT) {
    await showHandout(views, bring, store);
    return;
  }
  adopt({ at: first, view: nth(views, first), number: 0 }); // before unpacking, so that no key is lost
  store.bring = bring;
  store.subscribe(afterPause(write, REST).begin);
  mountFoot(data, room, store);
  installKeys(store);
  installPlayer(store);
  await (live?.restore() ?? bring(first));
}

// The foot of the window, as in the app: steps, the place in the talk, notes; and the page's covers.
function mountFoot({ talk }: FileData, room: Room, store: Store) {
  const named = (name: "notes" | "handout", act: () => void): [string, string, string, () => void] => [
    name,
    texts[`${name}_sign`],
    texts[name],
    act,
  ];
  const more = talk ? [named("notes", () => switchNotes(store)), named("handout", openHandout)] : [];
  const foot = el("section", { "aria-label": textsIn("app.site").region_foot });
  document.body.append(foot);
  mountPlayer(room("player", foot), { more }, store);
  growFigures();
}

function openHandout() {
  location.hash = HANDOUT;
  location.reload();
}

// Makes a root with the part's style.
export type Room = (name: string, parent: Element) => Root;

type With = { room: Room; parts: Record<string, Part>; unpack: Unpack; plotly: FileData["plotly"] };

// at: its place; number: another one for each request.
type Wanted = { at: number; view: FileView; number: number };

type Unpacked = Drawn & { bytes: Uint8Array; error: string };

const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

// A view's contents below its heading: browser-side parts, plotly figures and tables, in the order in which the page drew them.
function makeStage(main: Element, { room, parts, unpack, plotly }: With, store: Store) {
  let mounted: ReturnType<Part["mount"]>[] = [];

  const mount = (name: string, root: Root, bytes: Uint8Array) => {
    const part = (parts[name] as Part).mount(root, bytes, store);
    mounted.push(part);
    return part;
  };

  // Runs plotly's script, which the content policy allows by its hash, once a figure needs it.
  async function loadPlotly() {
    if (!globalThis.Plotly && plotly) document.head.append(el("script", {}, decode(await unpack(plotly))));
  }

  // Resolves to all that drawing a view needs, unless another one is wanted meanwhile.
  async function unpacked(view: FileView, isWanted: () => boolean): Promise<Unpacked[]> {
    if (view.drawn.some(({ kind }) => kind === "figure")) await loadPlotly();
    const all = view.drawn.map(async (drawn) => {
      const content = drawn.content === null ? await answered(drawn.address, isWanted) : await unpack(drawn.content);
      const error = content && "error" in content ? content.error : "";
      return { ...drawn, bytes: content instanceof Uint8Array ? content : new Uint8Array(), error };
    });
    return Promise.all(all);
  }

  // Each returns the rest of its work, if any, for when all have their room.
  const kinds: Record<Drawn["kind"], (drawn: Unpacked) => (() => unknown) | null> = {
    part({ name, address, bytes, error }) {
      if (error) main.append(el("p", { class: "only-server", role: "alert" }, error));
      else mount(name, Object.assign(room(name, main), { address }), bytes);
      return null;
    },
    html({ bytes }) {
      const table = el("div", { class: "table" });
      table.innerHTML = decode(bytes); // from our figures, which escape typed text; the policy runs no script in it
      main.append(table);
      return null;
    },
    // In the document itself, where plotly's style sheet is.
    figure({ name, bytes, alone }) {
      const before = main.lastElementChild;
      const isBeside = !alone && before?.className === "beside";
      const row = isBeside ? before : el("div", { class: alone ? "whole" : "beside" });
      const node = el("div", { class: `figure viz-${name}` });
      row.append(el("div", {}, node));
      if (row !== before) main.append(row);
      return () => mount(name, node, bytes).ready?.();
    },
  };

  return {
    unpacked,
    // drawn: from unpacked(view). Resolves once everything is drawn.
    draw(view: FileView, drawn: Unpacked[]) {
      main.toggleAttribute("data-open", view.open);
      const waiting = drawn.map((one) => kinds[one.kind](one));
      if (view.missing) main.append(el("p", { class: "only-server" }, view.missing));
      if (!drawn.length) main.append(el("p", { class: "only-server" }, texts.only_server));
      else if (!mounted.length && !view.open) main.prepend(el("p", { class: "covered" }, covered.covered));
      main.prepend(el("p", { class: "covered of-figure" }, covered.covered_figure));
      return Promise.all(waiting.map((begin) => begin?.()));
    },
    clear() {
      for (const part of mounted) part.destroy();
      mounted = [];
      store.picture = null;
      main.replaceChildren();
    },
  };
}
