import assert from "node:assert/strict";
import { test } from "node:test";
import { ROOM, drawn, payload, placeOf, rows, texts, view } from "./drawn";
import { cellsOf, notesOf, readSampled } from "../../pages/decoding/browser/sampled_sentences";
import { readTruncation, truncation, truncationAt } from "../../pages/decoding/browser/truncation";
import { underPoint } from "../../viz_core/web/src/figure";

const WORDS = ["1. <b>one</b>", "4. four", "the other 3"];
const TOKENS = ["<b>one</b>", "four"];
const ABOUT = {
  ...{ ranks: [1, 2, 3, 4, 5], total: 5, prefixes: ["", "x ".repeat(30).trim(), ""], tokens: [TOKENS, TOKENS, []] },
  settings: { t: 2, k: 2, p: 0.8, draw: 1, steps: 2 },
};
const data = readTruncation(
  payload(
    {
      model: rows("0.5 0.25 0.15 0.08 0.02; 0.5 0.25 0.15 0.08 0.02; 0 0 0 0 0"),
      tempered: rows("0.4 0.25 0.18 0.12 0.05; 0.4 0.25 0.18 0.12 0.05; 0 0 0 0 0"),
      before: rows("0.4 0.12 0.48; 0.4 0.12 0.48; 0 0 0"),
      after: rows("0.62 0 0.38; 0.4 0.12 0.48; 0 0 0"),
      cut: rows("2 1; 5 -1; 0 0"),
      mass: rows("0.5 0.65; 1 1; 0 0"),
      chosen: rows("0 4 0.08 0.1 0.75; 1 0 0 0 0; 0 0 0 0 0"),
    },
    ABOUT,
  ),
);
const at = (step: number) => truncationAt(data, view({ step }));
const marks = (step: number) => truncation.scene(at(step), ROOM, null);

test("the bars are those of the ranks and of all others, the most probable at the top; what is cut off has its notes", () => {
  const all = drawn(marks(0).marks);
  const shares = all.filter(({ words }) => words?.includes("→"));
  assert.equal(texts(shares).join(", "), "40 % → 62 %, 12 % → 0 %, 48 % → 38 %");
  assert.ok(placeOf(all, "40 % → 62 %").y < placeOf(all, "12 % → 0 %").y);
  assert.deepEqual(
    all.flatMap(({ words = "", style }) => (style.bold && WORDS.includes(words) ? words : [])),
    ["4. four"],
  );
  const cut = (step: number) => drawn(marks(step).marks).filter(({ kind, style }) => kind === "lines" && style.stroke === "ink");
  assert.deepEqual([cut(0).length, cut(1).length], [1, 0]);
  assert.ok(texts(all).includes("by top-k 2, top-p 0.8"));
  assert.ok(at(0).title.startsWith("Step 1, before the first token: 2 of 5 tokens"));
  assert.ok(at(1).title.startsWith(`Step 2, after “… ${"x ".repeat(20).trim()}”`));
});

test("a point of the curve and a bar are read; behind the end of a draw the title stands alone", () => {
  const [shown, ended] = [at(0), at(9)];
  const [row, point] = [underPoint(marks(0), 900, 60), underPoint(marks(0), 445, 200)];
  assert.deepEqual([row, truncation.reading(shown, row)], [{ row: 0 }, "1. <b>one</b>: 40 % → 62 %"]);
  assert.deepEqual([point, truncation.reading(shown, point)], [{ point: 4 }, "5. 2.0 %"]);
  assert.equal(truncation.reading(shown, null), "4. four: 12 % → 0 %");
  assert.deepEqual(
    [marks(9).marks, truncation.values(ended).title, truncation.reading(ended, null)],
    [[], "Draw 1 ends with step 2, so at step 3 there is nothing to sample from.", ""],
  );
});

test("below stand the rules, the most probable token worked out, and what was drawn", () => {
  const said = (step: number) => ({ ...truncation.below?.(at(step), (name, values) => `${name} ${JSON.stringify(values ?? {})}`) });
  const { told, rank, dice, token, best, log, divided, rules, end }: Record<string, unknown> = said(0);
  assert.deepEqual([told, rank, dice, token, best], ["drew", "4", "0.750", "four", "&#60;b&#62;one&#60;&#47;b&#62;"]);
  assert.deepEqual([log, divided], ["-0.693", "-0.347"]);
  const shares = '"p":0.8,"kept":"0.500","of_k":"0.650","reached":"77 %"';
  assert.equal(rules, `rule_k {"k":2} rule_p_of_k {${shares}}`);
  assert.equal(end, 'truncated {"p":"0.400","mass":"0.500","after":"62 \\\\%"}');
  const { told: nothing, end: whole } = said(1) as Record<string, unknown>;
  assert.deepEqual([nothing, whole, truncation.below?.(at(2), String)], ["", "untruncated {}", null]);
});

test("the draws are compared with greedy's sentence, those that are cut off only if they say the same", () => {
  const line = (text: string, ended = true, forced = false) => ({ words: [[text, text !== "a", forced]], tokens: 3, ended });
  const compared = (totals: string, lines: ReturnType<typeof line>[]) => {
    const read = readSampled(payload({ totals: rows(totals) }, { lines, settings: { end: "</s>" } }));
    return [cellsOf(read).map(({ words, log, times }) => [words.length, log, times].join(" ")), notesOf(read)] as const;
  };
  const [cells, notes] = compared("-2 -1 -3 -2 -0.5", [line("a"), line("<b>", true, true), line("a"), line("a"), line("c", false)]);
  assert.deepEqual(cells, ["1 −2.00 2 ×", "1 −1.00 1 ×", "1 −3.00 2 ×", "1 −2.00 2 ×", "2 −0.50 1 ×"]);
  assert.ok(/4 draws: \*\*3\*\*.*sentence: \*\*2\*\*.*greedy's.*\*\*draw 1\*\*.*draw 4.*3 tokens.*Framed/.test(notes.join(" ")));
  assert.ok(/No other sentence here/.test(compared("-2 -3", [line("a"), line("c")])[1].join(" ")));
  assert.equal(compared("-2 -2", [line("a"), line("a")])[1].length, 1);
});
