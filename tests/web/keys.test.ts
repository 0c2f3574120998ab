// The keyboard and the store: what a press, a clicker and playing make of the view. Where the focus is: tests/e2e/test_core.py.

import assert from "node:assert/strict";
import { test } from "node:test";
import { installKeys, installPlayer, play } from "../../viz_core/browser/kit/keys";
import { makeStore } from "../../viz_core/web/src/state";
import type { Store } from "../../viz_core/web/src/ui/store";
import type { View } from "../../viz_core/web/src/view";

const timers: (() => void)[] = [];
const frames: (() => void)[] = [];
const documentElement = { toggleAttribute: () => {}, hasAttribute: (_: string) => false };
Object.assign(globalThis, {
  document: { documentElement, querySelector: () => null },
  Element: class {},
  HTMLElement: class {},
  window: globalThis,
  addEventListener: () => {},
  location: { pathname: "/", search: "", origin: "http://app" },
  setTimeout: () => 0, // nothing is told to Python here
  setInterval: (tick: () => void) => timers.push(tick),
  clearInterval: () => (timers.length = 0),
  requestAnimationFrame: (paint: () => void) => frames.push(paint),
});

const LIMITS = { page: "x", text: "t", steps: 200, layers: 4, heads: 8, tokens: 9, stages: "", walks: "step" };

function opened(more: object = {}, view: object = {}) {
  const store: Store = makeStore();
  Object.assign(store.limits, LIMITS, more);
  const target = new EventTarget();
  installKeys(store, target as unknown as Window);
  store.set({ token: 0, ...view } as Partial<View>);
  const press = (event: object) => {
    const { key, code = "", ...held } = event as { key: string; code?: string };
    target.dispatchEvent(Object.assign(new Event("keydown"), { key, code, ...held }));
  };
  return { store, press };
}

/** After each key: these parts of the view. */
const after = ({ store, press }: ReturnType<typeof opened>, keys: readonly string[], ...names: (keyof View)[]) =>
  keys.map((key) => {
    press({ key });
    return names.map((name) => store.view[name]).join(" ");
  });

test("keys of every keyboard do what those of an English one do", () => {
  const page = opened();
  // AZERTY, numbers, AltGr of Windows, Option of a Mac, Cyrillic, CapsLock, repeats
  for (const [key, code, name, value, held] of [
    ["é", "Digit2", "head", 1, {}],
    ["(", "Digit5", "head", 4, {}],
    ["3", "Digit3", "head", 2, { shiftKey: true }],
    ["4", "Numpad4", "head", 3, {}],
    ["]", "Digit9", "head", 4, { ctrlKey: true, altKey: true }],
    ["[", "Digit5", "head", 3, { altKey: true }],
    ["д", "KeyL", "lecture", true, {}],
    ["L", "KeyL", "lecture", false, {}],
    ["д", "KeyL", "lecture", false, { ctrlKey: true }],
    ["Dead", "Quote", "lecture", false, {}],
    ["b", "KeyB", "over", "black", {}],
    ["b", "KeyB", "over", "black", { repeat: true }],
  ] as const) {
    page.press({ key, code, ...held });
    assert.equal(page.store.view[name], value, `${key} ${code}`);
  }
});

test("every key does what the help says", () => {
  const page = opened({}, { step: 5 });
  const steps = after(page, ["ArrowLeft", "PageDown", "PageUp", "End", "Home", "ArrowLeft"], "step");
  assert.equal(steps.join(" "), "4 5 4 199 0 0");
  assert.equal(after(page, ["ArrowUp", "ArrowDown"], "layer").join(" "), "0 1");
  assert.equal(after(page, ["]", "[", "7", "9"], "head").join(" "), "1 0 6 6");
  assert.equal(after(page, ["?", "Escape"], "help").join(" "), "true false");
  assert.deepEqual(after(page, [" ", "Escape"], "playing"), ["steps", ""]);
});

test("in a frame Escape closes what is open, then gives the keys back to the slides around it", () => {
  let given = 0;
  Object.assign(globalThis, { parent: { focus: () => given++ } });
  documentElement.hasAttribute = (name) => name === "data-embed";
  const page = opened({ stages: "stage" }, { show: "one", help: true });
  const focused = ["Escape", "Escape"].map((key) => [...after(page, [key], "help", "show"), given]);
  documentElement.hasAttribute = () => false;
  after(opened({}, {}), ["Escape"], "help"); // nothing is open on this whole page
  assert.deepEqual([...focused, given], [["false one", 0], ["false one", 1], 2]);
});

test("arrows and a clicker walk along the tokens of the source in the encoder", () => {
  const keys = ["ArrowRight", "PageDown", "ArrowLeft", "End", "ArrowRight", "Home", "PageUp"];
  const walked = after(opened({ walks: "token" }), keys, "token", "step");
  assert.deepEqual(walked, ["1 0", "2 0", "1 0", "8 0", "8 0", "0 0", "0 0"]);
  for (const [open, key, place] of [
    ["memory", "ArrowRight", "1 0 memory"], // a block of the encoder on the overview
    ["memory", "End", "8 0 memory"],
    ["memory", "PageDown", "0 0 embedding"], // the decoder's first
    ["cross", "ArrowRight", "0 1 cross"],
  ] as const)
    assert.deepEqual(after(opened({ stages: "open" }, { open }), [key], "token", "step", "open"), [place], `${open} ${key}`);
});

/** All that is seen while it plays to the end. */
function played(store: Store, ...names: (keyof View)[]) {
  const seen = () => names.map((name) => store.view[name]).join(" ");
  installPlayer(store);
  play(store);
  const all = [seen()];
  const paint = () => frames.splice(0).forEach((act) => act());
  for (paint(); store.view.playing; paint()) {
    timers.at(-1)?.();
    all.push(seen());
    assert.ok(all.length < 100, "it stops");
  }
  return [...new Set(all)];
}

test("playing goes through the inside of each step or token and stops at the end", () => {
  for (const [stages, walks, from, inside] of [
    ["cross", "step", 198, ["scores", "scaled", "softmax", "mix"]],
    ["masked", "step", 198, ["scores", "scaled", "mask", "softmax", "mix"]],
    ["self", "token", 7, ["scores", "scaled", "softmax", "mix"]],
    ["", "step", 198, ["softmax"]],
    ["", "token", 7, ["softmax"]],
  ] as const) {
    const { store } = opened({ stages, walks }, { [walks]: from });
    const all = [from, from + 1].flatMap((at) => inside.map((stage) => `${at} ${stage}`));
    assert.deepEqual(played(store, walks, "stage"), all);
    assert.deepEqual([store.view.step, store.view.token], walks === "step" ? [199, 0] : [0, 8]);
  }
});

test("on the overview playing and a clicker go through all blocks", () => {
  const page = opened({ steps: 3, stages: "open" }, { step: 1, open: "encoder", stage: "scores" });
  const stages = (block: string, more: string[] = []) =>
    ["scores", "scaled", ...more, "softmax", "mix"].map((stage) => `${block} ${stage}`);
  const mixed = (...blocks: string[]) => blocks.map((block) => `${block} mix`);
  const masked = [...mixed("masked_qkv"), ...stages("masked", ["mask"]), ...mixed("masked_out")];
  const cross = [...mixed("cross_qkv"), ...stages("cross"), ...mixed("cross_out")];
  const step = [...mixed("embedding"), ...masked, ...cross, ...mixed("ffn", "softmax")];
  const encoder = [...stages("encoder"), ...mixed("encoder_out", "encoder_ffn", "memory")];
  const all = [...[...encoder, ...step].map((each) => `1 ${each}`), ...step.map((each) => `2 ${each}`)];
  assert.deepEqual(played(page.store, "step", "open", "stage"), all);
  assert.equal(after(page, ["PageUp", "PageUp", "PageUp"], "open", "stage").at(-1), "cross mix");
  assert.equal(after(page, Array<string>(4).fill("PageDown"), "step", "open").at(-1), "2 softmax", "and no further");
  page.store.set({ open: "", step: 1 });
  assert.deepEqual(after(page, ["PageDown"], "step"), ["2"]);
});

test("only the block that opens says which stages there are", () => {
  const { store } = opened({ stages: "open" }, { open: "cross" });
  store.set({ open: "masked", stage: "mask" });
  assert.equal(store.view.stage, "mask", "as a link asks for it, whatever was open before");
  store.set({ open: "cross" });
  assert.equal(store.view.stage, "scaled", "nothing is masked there");
  store.set({ open: "encoder", cell: [2, 1], token: 0 });
  assert.deepEqual([store.view.token, store.view.cell?.[0]], [0, 2], "a link that names both");
});

test("an answer is hidden until a key, and at each step anew", () => {
  const seen = after(opened({}, { predict: "word" }), ["PageDown", "PageDown", "PageDown"], "step", "revealed");
  assert.deepEqual(seen, ["0 true", "1 false", "1 true"]);
});
