// The loss of this sentence, a line for each position: with teacher forcing, or after the model's own words. Its numbers are also those of
// the target's bars and of the arithmetic.

import type { ComponentChild } from "preact";
import { useMemo } from "preact/hooks";
import { escaped, grouped, latex, number, percent } from "../../../viz_core/browser/kit/numbers";
import type { View } from "../../../viz_core/web/src/figure";
import { range } from "../../../viz_core/web/src/marks/scale";
import { greatestOf, nth, readPayload, sum } from "../../../viz_core/web/src/payload";
import { textsIn } from "../../../viz_core/web/src/texts";
import { part, useGiven, useRoom, useView } from "../../../viz_core/web/src/ui/part";
import { Table } from "../../../viz_core/web/src/ui/table";
import { guessedFrom } from "../../../viz_core/web/src/view";

const SQUARES = 24; // positions up to which the mask is drawn
const OWN = "◆"; // marks the model's own words, in addition to their colour
const NOTICED = 0.005; // a smaller change of the loss is shown as none

/** epsilon, share: in %, as in the address; right: the correct token where another is read. */
type About = {
  read: string[];
  right: string[];
  own: boolean[];
  write: string[];
  predicts: string[];
  bars: string[][];
  size: number;
  typed: boolean;
  epsilon: number;
  share: number;
  seed: number;
};
type Name = "forced" | "mixed" | "spread" | "draws" | "shares";
export type Loss = ReturnType<typeof readLoss>;

/** payload: from pages/training/loss.py. losses: with label smoothing. */
export function readLoss(payload: Uint8Array) {
  const { about, tensors, say } = readPayload<About, Name>(payload, textsIn("training.sentence_loss"));
  const listed = (name: Name) => Array.from(tensors[name].data);
  const [forced, mixed, spread] = [listed("forced"), listed("mixed"), listed("spread")];
  const epsilon = about.epsilon / 100;
  const losses = forced.map((loss, t) => (epsilon ? (1 - epsilon) * loss - epsilon * nth(spread, t) : loss));
  return { ...about, tensors, say, forced, mixed, spread, losses, smoothing: written(epsilon) };
}

/** As Python writes it with `:g`. */
export const written = (share: number) => String(Number(share.toPrecision(6)));
export const stepOf = ({ write }: Loss, { step }: View) => Math.min(step, write.length - 1);
const changeOf = (by: number) => (Math.abs(by) < NOTICED ? "" : `${by > 0 ? "+" : "−"}${Math.abs(by).toFixed(2)}`);

function SentenceLoss(loss: Loss) {
  const { view } = useView();
  const { height } = useRoom();
  useGiven(
    "sentence_loss",
    useMemo(() => ({ ...loss, below: (at: View) => belowLoss(loss, stepOf(loss, at)) }), [loss.tensors]),
  );
  const { columns, kinds, lines } = (loss.share ? mixedLines : forcedLines)(loss, guessedFrom(view));
  return (
    <div class="forced" style={{ "--room": view.lecture ? `${height}px` : undefined }}>
      <Table label={loss.say("table")} {...{ columns, kinds, lines }} highlighted={stepOf(loss, view)} sums={2} />
    </div>
  );
}

export const mountSentenceLoss = part(SentenceLoss, readLoss);

type Lines = { columns: string[]; kinds: string[]; lines: ComponentChild[][] };

// hidden: the first step whose word is still to be guessed.
const word = (kind: string, text: ComponentChild, step: number, hidden: number) => (
  <td key={kind} class={`word ${kind}`} children={step >= hidden ? "?" : text} />
);

function forcedLines({ read, write, forced, losses, epsilon, smoothing, say }: Loss, hidden: number): Lines {
  const count = read.length;
  const numbers = epsilon ? [forced, losses] : [forced];
  const mask = (t: number) =>
    count > SQUARES ? `1 … ${t + 1}` : [<b key="open" children={"■".repeat(t + 1)} />, "□".repeat(count - t - 1)];
  const all = (of: (losses: readonly number[]) => number) => numbers.map((each) => number(of(each)));
  return {
    columns: columnsOf(["at", "read", "mask", "write", "p", "log", "smoothed"].slice(0, 5 + numbers.length), say, smoothing),
    kinds: ["", "word", "word", "word"],
    lines: [
      ...read.map((token, t) => [
        String(t + 1),
        word("given", token, t - 1, hidden),
        <td key="mask" class={count > SQUARES ? "word" : "word mask"} children={mask(t)} />,
        word("write", nth(write, t), t, hidden),
        percent(Math.exp(-nth(forced, t))),
        ...all((losses) => nth(losses, t)),
      ]),
      ["", say("sum"), "", "", "", ...all(sum)],
      ["", say("mean", { count }), "", "", "", ...all((losses) => sum(losses) / count)],
    ],
  };
}

function mixedLines(loss: Loss, hidden: number): Lines {
  const { read, right, own, write, predicts, forced, mixed, tensors, say } = loss;
  const change = (by: number) => <td key="change" class={by > 0 ? "rise" : "fall"} children={changeOf(by)} />;
  const total = (name: string, of: (losses: readonly number[]) => number) => [
    "",
    "",
    name,
    "",
    "",
    number(of(mixed)),
    number(of(forced)),
    change(of(mixed) - of(forced)),
    "",
  ];
  return {
    columns: columnsOf(["at", "coin", "mixed", "write", "p", "loss_mixed", "loss_forced", "rise", "writes"], say),
    kinds: ["", "", "word", "word", "", "", "", "", "word"],
    lines: [
      ...read.map((token, t) => [
        String(t + 1),
        t ? nth(tensors.draws.data, t).toFixed(2) : "",
        word(
          own[t] ? "own" : "given",
          [own[t] ? `${OWN} ` : "", token, ...(right[t] ? [" ", <s key="right" children={right[t]} />] : [])],
          t - 1,
          hidden,
        ),
        word("write", nth(write, t), t, hidden),
        percent(Math.exp(-nth(mixed, t))),
        number(nth(mixed, t)),
        number(nth(forced, t)),
        change(nth(mixed, t) - nth(forced, t)),
        word("writes", nth(predicts, t), t, hidden),
      ]),
      total(say("sum"), sum),
      total(say("mean", { count: read.length }), (losses) => sum(losses) / losses.length),
    ],
  };
}

const columnsOf = (names: readonly string[], say: Loss["say"], epsilon = "") =>
  names.map((name) => say(`columns.${name}`, { epsilon }));

/** The values of the texts below. */
export function belowLoss(loss: Loss, step: number) {
  const { write, forced, losses, spread, size, epsilon, smoothing } = loss;
  const values = { step: step + 1, count: write.length, token: `\\text{${latex(nth(write, step))}}` };
  if (loss.share) return { ...values, ...belowMixed(loss, step) };
  return {
    ...values,
    outcome: "",
    about: loss.typed ? "about_typed" : "about_own",
    text: epsilon ? "of_loss_smoothed" : "of_loss",
    ...{ log: number(-nth(forced, step)), here: number(nth(losses, step)) },
    ...{ sum: number(sum(losses)), mean: number(sum(losses) / losses.length) },
    ...{ keep: written(1 - epsilon / 100), epsilon: smoothing, size: grouped(size), spread: number(nth(spread, step)) },
  };
}

function belowMixed({ read, right, own, write, forced, mixed, share, tensors }: Loss, step: number) {
  const [wrong, count] = [range(read.length).filter((t) => right[t]), own.filter(Boolean).length];
  const changes = mixed.map((each, t) => each - nth(forced, t));
  const worst = greatestOf(changes);
  const start = wrong.findLast((t) => t <= worst) ?? 0; // later positions are masked
  const rises = nth(changes, worst) > NOTICED ? "rises" : "none_rises";
  const [coin, limit] = [nth(tensors.draws.data, step), share / 100];
  return {
    outcome: !count ? "none_mixed_in" : wrong.length ? rises : "all_right",
    about: "about_mixed",
    text: step ? "of_mixed" : "of_mixed_first",
    ...{ share: written(limit), places: read.length - 1, taken: count, wrong: wrong.length },
    ...{ at: worst + 1, expected: escaped(nth(write, worst)), own: escaped(nth(read, start)), right: escaped(nth(right, start)) },
    ...{ from: start + 1, worse: number(nth(mixed, worst)), better: number(nth(forced, worst)) },
    ...{ coin: number(coin), sign: coin < limit ? "<" : "≥", read: `\\text{${latex(nth(read, step))}}` },
    ...{ mixed: number(nth(mixed, step)), mixed_sum: number(sum(mixed)), mixed_mean: number(sum(mixed) / mixed.length) },
    ...{ forced: number(nth(forced, step)), forced_sum: number(sum(forced)), forced_mean: number(sum(forced) / forced.length) },
  };
}
