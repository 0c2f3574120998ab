import assert from "node:assert/strict";
import { test } from "node:test";
import { movedTo, stateFor, editsOf, requestOf } from "../../viz_core/browser/site/addresses";

const model = { languages: ["en", "de"] as [string, string], files: {}, digest: "", bytes: 0, usual: "The cat sleeps." };
const site = {
  base: "./",
  languages: ["en", "zh"],
  pages: ["overview"],
  models: { small: model, large: model },
  texts: {},
  talks: [],
  beside: {},
  themes: { light: {}, dark: {} },
};
const parametersOf = (address: string) => Object.fromEntries(new URLSearchParams(address.split("?")[1]));

test("a state is the one of the address, with usual values for what it does not name", () => {
  const states = ["map source", "near source", "map target"].map((each) => {
    const [show = "", side = ""] = each.split(" ");
    return { asked: { show, side }, heading: "", caption: [], hint: [], parts: [], open: false };
  });
  const found = (asked: Record<string, string>) => stateFor(states, asked).asked;
  assert.deepEqual(found({}), { show: "map", side: "source" });
  assert.deepEqual(found({ side: "target" }), { show: "map", side: "target" });
  assert.deepEqual(found({ show: "near", other: "x" }), { show: "near", side: "source" });
});

test("edits change the right side of a page with both, and the whole of any other", () => {
  assert.deepEqual(editsOf("output", { edits: "no_scale" }, {}).here, "no_scale");
  const both = editsOf("what_if", { edits: "no_scale" }, {});
  assert.deepEqual([both.here, both.right, both.carried], ["", "no_scale", { draft: "no_scale" }]);
  const draft = editsOf("output", {}, { draft: "no_scale" }); // not applied to other pages
  assert.deepEqual([draft.here, draft.right], ["", null]);
  const applied = editsOf("output", { edits: "no_scale" }, { applied: "on" });
  assert.deepEqual([applied.here, applied.carried], ["no_scale", { applied: "on" }]);
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
  assert.deepEqual(requestOf(site, "output", "en", {}, {}, true).kept({}), { text: "The cat sleeps." }); // a talk names its sentence
});
