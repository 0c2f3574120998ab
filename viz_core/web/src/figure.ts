// The shared frame of all figures: size and scrolling, hover, click, arrow keys, words for screen readers, and a drawing for a file.
// A figure itself is a function: data, state → marks.

import { onKeys } from "../../browser/kit/composing";
import { el, lettersScale, nameScroller, saySideways, setAttributes, setText, windowScale, keepDrawn } from "../../browser/kit/dom";
import { forAudience, offerPicture } from "../../browser/kit/save";
import { READABLE, canvasPen, contextOf, linesOf, sizeCanvas, textWidth } from "../../browser/kit/pen";
import { svgPen } from "../../browser/kit/svg_pen";
import type { Mark, Pen } from "./marks/mark";
import { type Patch, type Say, fill } from "./payload";
import { textsIn } from "./texts";
import type { Changes, Root, Store, View as StoreView } from "./ui/store";

export type { Patch };

/** The state that figures read, and the values of their own controls. */
export interface View extends StoreView {
  [control: string]: unknown;
}

/** Px available to the figure; whole: everything must be visible without scrolling. */
export type Room = { w: number; h: number; whole: boolean };

/** The placed marks in width × height px, which may exceed the room. Later marks lie over earlier ones. */
export interface Scene<Datum> {
  width: number;
  height: number;
  marks: readonly (Mark<Datum> | Mark | null)[];
  /** The horizontal range in px to scroll into view when it changes. */
  sight?: readonly [number, number];
}

/** A choice that arrow keys move by 1: at, its index; count; to(): the change of the state. */
type Walk = { at: number; count: number; to(index: number): Patch | null };

/** Data: the parsed payload. Shown: the part of it drawn in a state; say: its texts. Datum: the thing under the pointer. All functions
 * are pure. The texts: `region`, the figure's name while it scrolls; `file`, its file's name; `picture`, the figure in words;
 * optionally `lead`, the line above, with **bold** parts. */
export interface Figure<Data, Shown extends { say: Say }, Datum extends object> {
  heights: readonly [number, number]; // px, least and most; in lecture mode the figure fills the window
  read(payload: Uint8Array, before: Data | null, address: string): Data; // before: the previous data; address: of the payload
  at(data: Data, view: View): Shown;
  scene(shown: Shown, room: Room, hovered: Datum | null): Scene<Datum>;
  /** The line below: about the hovered datum, else the picked one. */
  reading(shown: Shown, datum: Datum | null): string;
  /** Values for the [[placeholders]] of the texts, besides `reading`. */
  values(shown: Shown): Patch;
  /** The figure in words, if there is no text `picture`. */
  spoken?(shown: Shown): string;
  /** The change of the state by a click; null if the datum cannot be clicked. */
  pick?(shown: Shown, datum: Datum): Patch | null;
  /** The choices that ← → and ↑ ↓ move while the figure has the focus; for screen readers it is a slider of the first. */
  keys?(shown: Shown): { across: Walk; down: Walk };
  /** Whether the figure would give away what is still to be guessed. */
  isCovered?(view: StoreView): boolean;
  /** Whether the line above would do so, too. */
  tells?: boolean;
  /** Controls of the page that a click in the figure sets, with their values, as part of the view. */
  own?(data: Data): Patch;
  /** Changes of those controls as changes of the address; null if none is of the address. */
  asks?(own: Patch): Changes | null;
  /** Fetches missing data; returns whether all is there. Until then the figure is dimmed. */
  bring?(data: Data, view: View, arrived: () => void): boolean;
  /** The name under which other parts, such as the arithmetic below, find its data. */
  shared?: string;
  /** Values for the texts below, as they are written there; write: those texts by name. Null if nothing is to be written. */
  below?(shown: Shown, write: Say): Patch | null;
}

const covered = textsIn("app.covered");

const QUIET = 300; // ms without a change until the words for screen readers follow
const SLACK = 16; // px, since the lines' heights are rounded
const LEAST_ON_STAGE = 240; // px of height
const LINE = 1.4 * READABLE; // px
const IN_A_FILE = { w: 1100, h: 520 }; // px
const ARROWS: Record<string, readonly ["across" | "down", number]> = {
  ArrowRight: ["across", 1],
  ArrowLeft: ["across", -1],
  ArrowDown: ["down", 1],
  ArrowUp: ["down", -1],
};

/** The view field that walks along the tokens of a stack, or of a side of the sentence. */
export const walkOf = (stack: string): "token" | "step" => (stack === "encoder" || stack === "source" ? "token" : "step");

/** Arrow keys that walk along the tokens of a stack. */
export function walkTokens(stack: string, at: number, count: number): Walk {
  return { at, count, to: (index) => ({ [walkOf(stack)]: index }) };
}

/** The datum of the uppermost mark under a point. */
export function underPoint<Datum>({ marks }: Scene<Datum>, x: number, y: number): Datum | null {
  return marks.reduceRight<Datum | null>((datum, mark) => datum ?? mark?.under?.(x, y) ?? null, null);
}

/** Makes a figure into a part of the page. */
export function figure<Data, Shown extends { say: Say }, Datum extends object>(of: Figure<Data, Shown, Datum>) {
  return (root: Root, payload: Uint8Array, store: Store) => {
    let data = of.read(payload, null, root.address ?? "");
    let own = of.own?.(data) ?? {};
    let shown = of.at(data, { ...store.view, ...own });
    let scene: Scene<Datum> = { width: 0, height: 0, marks: [] };
    let room: Room = { w: 0, h: 0, whole: false };
    let zoom = 1;
    let hovered: Datum | null = null;
    let telling: ReturnType<typeof setTimeout> | undefined;
    let seen = "";
    const canvas = el("canvas", { role: "img" });
    const pen = canvasPen(contextOf(canvas));
    const scroller = el("div", { class: "scroll" }, canvas);
    const [lead, reading] = [el("p", { class: "lead" }), el("p", { class: "reading" })];
    const isCovered = () => of.isCovered?.(store.view) ?? false;
    saySideways(scroller);
    root.replaceChildren(lead, scroller, reading);

    function drawWith(onePen: Pen, place: Scene<Datum>) {
      if (!isCovered()) for (const mark of place.marks) mark?.draw(onePen, store.theme);
      else {
        const fits = (line: string) => textWidth(line, READABLE) <= Math.min(place.width, root.clientWidth);
        const style = { fill: store.theme.quiet };
        linesOf(covered.covered, fits).forEach((line, at) => onePen.text(line, 0, (at + 0.7) * LINE, style));
      }
    }

    function draw() {
      scene = of.scene(shown, room, hovered);
      sizeCanvas(canvas, scene.width, scene.height, zoom);
      pen.box(0, 0, scene.width, scene.height, { fill: store.theme.surface });
      drawWith(pen, scene);
    }

    function write() {
      const runs = forAudience(shown.say("lead"), store.view).split("**");
      const filled = runs.map((run) => fill(run, of.values(shown)));
      lead.replaceChildren(...filled.map((run, at) => (at % 2 ? el("strong", {}, run) : run)));
      lead.hidden = !lead.textContent || (of.tells === true && isCovered());
      read();
    }

    const words = () => (isCovered() ? "" : of.reading(shown, null));
    const read = () => setText(reading, hovered ? of.reading(shown, hovered) : words());

    function paint({ lecture }: StoreView, place: { width: number; height: number; zoom: number }) {
      zoom = place.zoom;
      hovered = null;
      shown = of.at(data, { ...store.view, ...own });
      if (of.bring) root.toggleAttribute("data-stale", !of.bring(data, { ...store.view, ...own }, store.repaint));
      write();
      const isBeside = reading.offsetTop < lead.offsetTop + lead.offsetHeight; // a style sheet may put it there
      const others = lead.offsetHeight + (isBeside ? 0 : reading.offsetHeight) + SLACK;
      const [least, most] = lecture ? [LEAST_ON_STAGE, Number.POSITIVE_INFINITY] : of.heights;
      room = { w: place.width, h: Math.min(Math.max(Math.floor(place.height - others), least), most), whole: lecture };
      draw();
      nameScroller(scroller, scene.width > room.w, shown.say("region"));
      if (scene.sight) bringIntoSight(scene.sight);
      nameSlider();
      const name = () => setAttributes(canvas, { "aria-label": spoken() });
      if (!canvas.hasAttribute("aria-label")) name(); // the focus may come at once
      clearTimeout(telling);
      telling = setTimeout(name, QUIET);
    }

    function spoken(): string {
      if (isCovered()) return covered.covered;
      if (of.spoken) return of.spoken(shown);
      return shown.say("picture", { reading: words(), ...of.values(shown) }).trim();
    }

    function bringIntoSight(place: readonly [number, number]) {
      if (seen === place.join()) return;
      seen = place.join();
      const [from, to] = [place[0] * zoom, place[1] * zoom];
      const { scrollLeft, clientWidth } = scroller;
      if (from < scrollLeft || to > scrollLeft + clientWidth) scroller.scrollLeft = (from + to - clientWidth) / 2;
    }

    function nameSlider() {
      const across = of.keys?.(shown).across;
      if (!across) return;
      const range = { "aria-valuemin": 1, "aria-valuemax": across.count, "aria-valuenow": across.at + 1 };
      setAttributes(canvas, { role: "slider", tabindex: 0, ...range, "aria-valuetext": words() });
    }

    function apply(patch: Patch | null) {
      if (!patch) return;
      const entries = Object.entries(patch);
      const picked = entries.filter(([name, value]) => name in own && own[name] !== value);
      store.set(Object.fromEntries(entries.filter(([name]) => !(name in own))));
      own = { ...own, ...Object.fromEntries(picked) };
      shown = of.at(data, { ...store.view, ...own }); // another key may come in the same frame
      if (!picked.length) return;
      const changes = of.asks?.(Object.fromEntries(picked));
      if (changes) store.ask(changes);
      store.repaint();
    }

    function pointed({ clientX, clientY }: MouseEvent) {
      const { left, top } = canvas.getBoundingClientRect();
      return isCovered() ? null : underPoint(scene, (clientX - left) / zoom, (clientY - top) / zoom);
    }

    const picks = (datum: Datum | null) => datum && (of.pick?.(shown, datum) ?? null);

    function hover(datum: Datum | null) {
      if (JSON.stringify(datum) === JSON.stringify(hovered)) return;
      hovered = datum;
      read();
      draw();
    }

    canvas.addEventListener("pointermove", (event) => {
      const datum = pointed(event);
      canvas.style.cursor = picks(datum) ? "pointer" : "";
      hover(datum);
    });
    canvas.addEventListener("pointerleave", () => hover(null));
    canvas.addEventListener("click", (event) => apply(picks(pointed(event))));
    onKeys(canvas, (event) => {
      const [way, by] = ARROWS[event.key] ?? [];
      const walk = way && of.keys?.(shown)[way];
      if (!walk || !by || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      const next = walk.at + by;
      if (next >= 0 && next < walk.count) apply(walk.to(next));
    });

    function svg(): string {
      const scale = store.view.lecture ? lettersScale() : 1; // in lecture mode letters are larger relative to the file
      const whole = of.scene(shown, { w: IN_A_FILE.w / scale, h: IN_A_FILE.h / scale, whole: false }, null);
      const drawing = svgPen(whole.width, whole.height, { ground: store.theme.surface });
      drawWith(drawing, whole);
      return drawing.finish();
    }

    let shared: unknown;
    const below = (view: View, write: Say) => of.below?.(of.at(data, { ...view, ...of.own?.(data) }), write);
    const give = () => {
      shared = of.below ? { ...data, below } : data;
      if (of.shared) store.give(of.shared, shared);
    };
    const takeBack = () => of.shared && store.takeBack(of.shared, shared);
    give();
    const withdraw = offerPicture({ svg, name: () => shown.say("file", of.values(shown)) }, store, root);
    const drawing = keepDrawn(root, store, paint, () => Math.max(windowScale(), lettersScale()));
    return {
      svg,
      update(next: Uint8Array) {
        takeBack();
        data = of.read(next, data, root.address ?? "");
        own = of.own?.(data) ?? {};
        give();
        drawing.show();
      },
      destroy() {
        withdraw();
        takeBack();
        clearTimeout(telling);
        drawing.destroy();
      },
    };
  };
}
