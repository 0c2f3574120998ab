import assert from "node:assert/strict";
import { test } from "node:test";
import { leadsOn, movedTo, requestOf } from "../../viz_core/browser/site/addresses";
import { pickedIn, replacedOf, stateFor } from "../../viz_core/browser/site/recorded";
import { doubtOf, NOTHING, noticesOf } from "../../viz_core/browser/site/sentence";

Object.assign(globalThis, { document: { documentElement: { lang: "en" } } });
const model = {
  languages: ["en", "de"] as [string, string],
  files: {},
  digest: "",
  bytes: 0,
  usual: "The cat sleeps.",
  scripts: ["Latin"],
};
const site = {
  ...{ base: "./", build: "" },
  languages: ["en", "zh"],
  pages: ["overview"],
  models: { small: model, large: model, chinese: { ...model, languages: ["zh", "en"] as [string, string], scripts: ["Han"] } },
  doubts: { script: 0.5, foreign: 0.3, improbable: 0.5 },
  talks: [],
  beside: {},
  themes: { light: {}, dark: {} },
};
const parametersOf = (address: string) => Object.fromEntries(new URLSearchParams(address.split("?")[1]));

test("a state is the one of the address, with usual values for what it does not name", () => {
  const states = ["map source", "near source", "map target"].map((each) => {
    const [show = "", side = ""] = each.split(" ");
    return { asked: { show, side }, heading: "", caption: [], hint: [], parts: [], open: false, picks: {} };
  });
  const found = (asked: Record<string, string>) => stateFor(states, asked).asked;
  assert.deepEqual(found({}), { show: "map", side: "source" });
  assert.deepEqual(found({ side: "target" }), { show: "map", side: "target" });
  assert.deepEqual(found({ show: "near", other: "x", side: "no" }), { show: "near", side: "source" });
  const limits = { layers: 4, heads: 8, steps: 9 } as Parameters<typeof replacedOf>[2];
  const notices = replacedOf({ layer: "99", step: "2", side: "no" }, stateFor(states, {}), limits);
  assert.equal(notices.map(({ code, values }) => `${code} ${values.shown}`).join(), "nearest 4,unknown source");
  const slider = ["0", "50"].map((own) => ({ ...(states[0] as (typeof states)[0]), asked: { own } })); // 0, and all others
  const shown = (own: string) => stateFor(slider, { own }).asked.own;
  assert.deepEqual(["0", "7", "x"].map(shown), ["0", "50", "0"]);
});

test("a pick in a figure changes its parts, and leads where it stands for other parameters", () => {
  const part = (name: string, packed: string) => ({ name, key: name, packed, own: true, fixed: true, inPage: false });
  const call = { "1": { lead: { call: "1" }, parts: [part("map", "b")] }, "9": { lead: { call: "1", layer: "2" }, parts: [] } };
  const parts = [part("map", "a"), part("said", "a")];
  const state = { asked: {}, heading: "", caption: [], hint: [], parts, open: false, picks: { call } };
  const [shown, led] = pickedIn(state, { call: "1" }, { call: "1" });
  assert.deepEqual([shown.parts.map(({ packed }) => packed), led], [["b", "a"], {}]);
  assert.deepEqual(pickedIn(state, { call: "9" }, {}), [state, { call: "1", layer: "2" }]);
});

test("the right side follows in what both sides have in common", () => {
  const moved = (address: string, right = {}) =>
    parametersOf(movedTo(address, { model: "large", text: "Two dogs.", target: "Zwei", edits: "" }, { size: "3", no: "1" }, right));
  const same = { model: "large", text: "Two dogs.", target: "Zwei" };
  assert.deepEqual(moved("data/beam_tree?model=small&text=A.&size=4"), { ...same, size: "3" });
  const edits = "data/comparison?model=small&text=A.&right_model=small&right_text=A.";
  const right = { right_model: "large", right_text: "Two dogs.", right_target: "Zwei", right_edits: "no_scale" };
  assert.deepEqual(moved(edits, { edits: "no_scale" }), { ...same, ...right });
  const sentences = "data/comparison?model=small&text=A.&right_model=small&right_text=B.";
  assert.deepEqual(moved(sentences), { ...same, right_model: "small", right_text: "B." });
});

test("only what differs from the usual stays in the address", () => {
  const asked = { model: "constructor", lang: "en", step: "2", size: "3" };
  const usual = requestOf(site, "output", "en", asked, {}, false);
  assert.deepEqual([usual.model, usual.isUsual, usual.kept({ step: "1" })], ["small", true, { size: "3" }]);
  const typed = requestOf(site, "output", "zh", { lang: "zh", text: " Two dogs. " }, {}, false);
  assert.deepEqual([typed.sentence.text, typed.isUsual, typed.kept({})], ["Two dogs.", false, { lang: "zh", text: " Two dogs. " }]);
  assert.equal(requestOf(site, "output", "en", { edits: "no_scale" }, {}, false).sentence.edits, "no_scale");
  assert.equal(requestOf(site, "output", "en", { text: " " }, {}, false).sentence.text, ""); // emptied
  assert.equal(["2", "3"].map((size) => leadsOn({ asks: { size: "3" } }, site, { size })).join(), "true,false");
  assert.deepEqual(requestOf(site, "output", "en", {}, {}, true).kept({}), { text: "The cat sleeps." }); // a talk names its sentence
});

test("a translation is doubted for the first sign, and the model for another script is offered", () => {
  const of = (words: string[], signs: { spelt: number; mean: number } | null, model = "small") =>
    doubtOf({ ...NOTHING, board: { words }, signs }, site, model);
  const sure = { spelt: 0, mean: 0.9 };
  assert.deepEqual(of(["A", "«cat»", "猫", "7"], sure), { doubt: "", fits: null });
  assert.deepEqual(of(["我", "爱", "Tom"], sure).fits, ["chinese", "Switch to chinese"]);
  assert.deepEqual(of(["I", "love"], sure, "chinese").fits, ["small", "Switch to small"]);
  assert.deepEqual(of(["Я"], sure).fits, null);
  assert.deepEqual(of(["😀"], { spelt: 0.8, mean: 0.9 }).fits, null);
  assert.ok(of(["a"], { spelt: 0, mean: 0.25 }).doubt?.includes("25 %"));
  assert.equal(of(["我"], null).doubt, ""); // a typed target
});

test("a notice groups the digits of its numbers, not of what was typed", () => {
  const values = { limit: 1000, kept: 12345, characters: 20000, end: "4567" };
  const notices = [false, true].map((isRight) => ({ code: "source_cut", values, isRight }));
  const [notice = "", right = ""] = noticesOf({ notices });
  assert.equal(right, `On the right: ${notice}`);
  assert.deepEqual(notice.match(/\d[\d,]*/g), ["1,000", "12,345", "20,000", "4567"]);
});
