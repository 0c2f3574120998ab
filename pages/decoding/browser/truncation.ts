// What sampling draws from at a step. Left: the whole vocabulary by rank, with what is kept and cut off. Right: the most probable tokens
// before and after truncation.

import { escaped, grouped, latex, number, percent } from "../../../viz_core/browser/kit/numbers";
import { READABLE, textWidth, widestText } from "../../../viz_core/browser/kit/pen";
import { type Figure, type View, figure } from "../../../viz_core/web/src/figure";
import { APART, FOOT, UPRIGHT, axisAcross, uprightAxis, rowLabels } from "../../../viz_core/web/src/marks/axis";
import { bars, dot, between, inside, paragraph, path, place, rules, text } from "../../../viz_core/web/src/marks/shapes";
import { type Say, entryAt, nth, sliceOf, readPayload } from "../../../viz_core/web/src/payload";
import { textsIn } from "../../../viz_core/web/src/texts";
import { band, linear } from "../../../viz_core/web/src/marks/scale";

const [HEAD, LINE, GAP] = [36, 24, 30]; // px: of the colour legend, of a line of a note, between both plots
const LEAST = 860; // px of the width
const LABEL = 210; // px of a token, at most
const POWERS = [-9, -6, -3, 0]; // of ten, on the probability axis

const PREFIX = 40; // characters of the words before a step in the title

/** prefixes: what is written before each step; tokens: with bars. steps: of the draw whose words are read, if one is. */
type About = {
  ranks: number[];
  total: number;
  prefixes: string[];
  tokens: string[][];
  settings: { t: number; k: number; p: number; draw: number; steps: number };
};
type Truncation = ReturnType<typeof readTruncation>;
type Spot = { point: number } | { row: number };

/** payload: from pages/decoding/truncation.py. */
export function readTruncation(payload: Uint8Array) {
  const { about, tensors, say } = readPayload<About, "model" | "tempered" | "before" | "after" | "cut" | "mass" | "chosen">(
    payload,
    textsIn("decoding.truncation"),
    textsIn("joined"),
  );
  return { ...about, tensors, say };
}

/** curves: probabilities at the ranks, from the model and with the temperature. */
export function truncationAt({ tensors, prefixes, tokens, ...rest }: Truncation, view: View) {
  const { total, settings, say } = rest;
  const step = Math.min(view.step, tokens.length - 1);
  const own = (name: Exclude<keyof typeof tensors, "cut">) => Array.from(sliceOf(tensors[name], step));
  const [[count = 0, drawn = -1], [kept = 0], [isForced, rank = 0]] = [sliceOf(tensors.cut, step), own("mass"), own("chosen")];
  const names = entryAt(tokens, step);
  const named = names.map((token, at) => say("ranked", { rank: grouped(at === drawn ? rank : at + 1), token }));
  const [was, is] = [own("before"), own("after")];
  const rows = (names.length ? [...named, say("others", { count: grouped(total - names.length) })] : []).map((label, at) => {
    const [old = 0, now = 0] = [was[at], is[at]];
    return { label, was: old, is: now, share: old === now ? percent(old) : `${percent(old)} → ${percent(now)}` };
  });
  const { k, p, draw, steps, t } = settings;
  const rules = [...(k ? [say("by_k", { k })] : []), ...(p < 1 ? [say("by_p", { p })] : [])].join(say("list"));
  const shares = { count: grouped(count), kept: percent(kept), cut: grouped(total - count), lost: percent(1 - kept), rules };
  const title = !names.length ? "draw_ended" : isForced ? "title_forced" : count === total ? "title_all" : "title_cut";
  const words = endOf(entryAt(prefixes, step));
  const before = words ? say("after", { words }) : say("before_first");
  const told = { step: step + 1, before, total: grouped(total), draw, steps };
  return {
    ...rest,
    step,
    title: say(title, { ...shares, ...told, token: names[drawn] }),
    notes: [say("stay", shares), say("go", shares)] as const,
    colours: say("with_temperature", { t }),
    named: [names[0] ?? "", names[drawn] ?? ""] as const,
    mass: own("mass"),
    chosen: own("chosen"),
    count,
    drawn,
    curves: [own("model"), own("tempered")],
    rows,
  };
}

/** The last whole words of a text, cut to the room in a title. */
function endOf(text: string) {
  const signs = Array.from(text);
  const kept = signs.slice(-PREFIX).join("");
  return signs.length <= PREFIX ? text : `… ${kept.slice(kept.indexOf(" ") + 1) || kept}`;
}

type Shown = ReturnType<typeof truncationAt>;

function reading({ ranks, curves, rows, drawn, say }: Shown, spot: Spot | null) {
  if (spot && "point" in spot) return `${grouped(nth(ranks, spot.point))}. ${percent(nth(nth(curves, 0), spot.point))}`;
  const row = rows[spot ? spot.row : Math.max(drawn, 0)];
  return row ? say("named", { name: row.label, value: row.share }) : "";
}

const power = (value: number) => percent(10 ** value);

export const truncation: Figure<Truncation, Shown, Spot> = {
  heights: [460, 520],
  read: readTruncation,
  at: truncationAt,
  scene({ ranks, total, notes, count, drawn, curves, rows, colours, say }, { w, h }, hovered) {
    if (!rows.length) return { width: w, height: 1, marks: [] };
    const width = Math.max(w, LEAST);
    const [top, foot] = [HEAD, h - FOOT - 6];
    const [left, middle] = [UPRIGHT + widestText(POWERS.map(power)) + APART, 0.45 * width];
    const x = linear([-0.05, Math.log10(total) + 0.05], [left, middle]);
    const y = linear([-9, 0.1], [foot, top]);
    const labels = rows.map(({ label }) => label);
    const start = middle + GAP + Math.min(LABEL, widestText(labels)) + APART;
    const p = linear([0, 1], [start, width - widestText(rows.map(({ share }) => share)) - 2 * APART]);
    const row = band(rows.length, [top, foot]);
    const point = (at: number, which: number) => [
      x(Math.log10(ranks[at] ?? 1)),
      y(Math.log10(Math.max(curves[which]?.[at] ?? 0, 1e-9))),
    ];
    const curve = (which: number) => ranks.map((_, at) => point(at, which).join(" ")).join("L");
    const area = `M${x(0)} ${foot}L${curve(1)}L${x(Math.log10(total))} ${foot}Z`;
    const line = count < total ? x(Math.log10(count + 0.5)) : middle;
    const part = (from: number, to: number, ink: string, alpha: number) =>
      inside([from, to], [foot, top], [path(area, { fill: ink, alpha }), path(`M${curve(1)}`, { stroke: ink, width: 3 })]);
    const note = (words: string, align: "left" | "right") =>
      paragraph(words.split("\n"), line + (align === "left" ? APART : -APART), top + 6, LINE, { align, halo: "surface" });
    const [px = 0, py = 0] = hovered && "point" in hovered ? point(hovered.point, 0) : [];
    const halves = [0.5, 1].map((share) => [p(share), top, p(share), foot]);
    const after = rows.map(({ is }) => is);
    const axis = { y: foot, title: say("probability") };
    return {
      width,
      height: h,
      marks: [
        place({ x: left, y: top, w: middle - left, h: foot - top }, (at) => {
          const away = ranks.map((rank) => Math.abs(x(Math.log10(rank)) - at));
          return { point: away.indexOf(Math.min(...away)) };
        }),
        place({ x: middle + GAP, y: top, w: width - middle - GAP, h: foot - top }, (_, at) => ({ row: row.at(at) })),
        uprightAxis(y, { title: axis.title, across: x.range, ticks: POWERS, write: power, grid: true }),
        part(left, line, "output", 0.75),
        part(line, middle, "quiet", 0.25),
        path(`M${curve(0)}`, { stroke: "ink", width: 2, dash: [2, 4] }),
        ...(count < total ? [rules([[line, top, line, foot]], { stroke: "ink", width: 3 }), note(notes[1], "left")] : []),
        count < total && count > 15 ? note(notes[0], "right") : null,
        px ? dot(px, py, 5.5, { fill: "ink" }) : null,
        axisAcross((rank) => x(Math.log10(rank)), {
          ...axis,
          title: say("rank"),
          range: x.range,
          ticks: [1, 10, 100, 1000, 10000].filter((rank) => rank <= total),
          write: grouped,
        }),
        text(colours, left, HEAD / 2 - 2, { bold: true }),
        text(` · ${say("of_model")}`, left + textWidth(colours, READABLE, true), HEAD / 2 - 2),
        text(say("bars"), middle + GAP, HEAD / 2 - 2),
        rules(halves, { stroke: "line", width: 1 }),
        rowLabels(row, labels, { x: start - APART, align: "right", max: LABEL, held: drawn }),
        bars(row, p, after, { ink: "output", faint: 1, across: true }),
        ...rows.flatMap(({ was, is, share }, at) => [
          between([p(0), p(was)], [row(at) - 0.31 * row.step, row(at) + 0.31 * row.step], { stroke: "quiet", width: 2 }),
          text(share, p(Math.max(was, is)) + APART, row(at)),
        ]),
        axisAcross(p, { ...axis, range: p.range, ticks: [0, 0.5, 1], write: percent }),
      ],
    };
  },
  reading,
  values: ({ title, step }) => ({ title, step: step + 1 }),
  shared: "truncation",
  below,
  spoken: (shown) => [shown.title, ...[0, 1, 2].map((row) => reading(shown, { row }))].filter(Boolean).join(". "),
};

// The most probable token's probability through temperature, truncation and renormalization; what was drawn, or is forced.
function below({ rows, curves, count, total, named, mass, chosen, step, settings }: Shown, write: Say) {
  const [first] = rows;
  if (!first) return null; // after the end of a draw
  const [[model = 0], [kept = 0, ofK = 0], { t, k, p, draw }] = [curves[0] ?? [], mass, settings];
  const [isForced, rank = 0, before = 0, after = 0, dice = 0] = chosen;
  const [best, token] = named.map(escaped);
  const log = Math.log(model);
  const shares = { kept: number(kept), of_k: number(ofK), reached: percent(Math.min(kept / ofK, 1)) };
  const rules = [
    isForced && write("rule_forced"),
    k && write("rule_k", { k }),
    p < 1 && write(k ? "rule_p_of_k" : "rule_p", { p, ...shares }),
    !k && p >= 1 && write("rule_none"),
  ];
  const divided = { p: number(first.was), mass: number(kept), after: latex(percent(first.is)) };
  return {
    told: !rank ? "" : !draw ? "greedy_forced" : isForced ? "not_drawn" : "drew",
    ...{ draw, t, token, step: step + 1, rank: grouped(rank), before: percent(before), after: percent(after), dice: number(dice) },
    ...{ best, log: number(log), divided: number(log / t), model: percent(model), tempered: percent(first.was) },
    ...{ count: grouped(count), total: grouped(total), rules: rules.filter(Boolean).join(" ") },
    end: count < total ? write("truncated", divided) : write("untruncated"),
  };
}

export const mountTruncation = figure(truncation);
