// The scene of the lens: everything that is drawn of a view at one moment, and its drawing.

import type { Box, Pen } from "../../web/src/marks/mark";
import { nth } from "../../web/src/payload";
import type { Theme, View } from "../../web/src/ui/store";
import type { Panel } from "../attention_view/panel";
import { type Pointed, stillThere } from "../attention_view/picture";
import { tipOf } from "../attention_view/reading";
import { ATTENTION_OF, isEncoders } from "../kit/operations";
import { drawAfter, drawMixWay, drawResidual } from "./after";
import {
  type AttentionPlan,
  type MatrixPlan,
  activeRow,
  attentionPlan,
  drawAttention,
  hasValues,
  isOfMatrix,
  stacksOf,
} from "./attention";
import { type Content, contentOf } from "./blocks";
import type { Overview, Kind, Stack, Token } from "../overview/data";
import { rounded } from "./ink";
import { type Motion, computed } from "./motion";
import { drawFlight, drawOutput, drawWays, drawSoftmax } from "./next_token";
import { type Plan, type StackPlan, drawLane, stackPlan } from "./stacks";
import { type Spot, type TermsPlan, drawTerms, termsPlan } from "./terms";
import { type Flow, drawTravel } from "./travel";
import { marksOf } from "../attention_view/cell";

const LATER = 0.62; // opacity of the surface over cards that do not belong to the focused token
const LEAST_CARD = 240; // px of a card large enough for vectors

/** inside: opacity of the content of the card in focus, 0 to 1; travel: ribbons on their way into the matrix. */
export interface Given {
  data: Overview;
  texts: Overview["texts"];
  version: number;
  view: View;
  theme: Theme;
  plan: Plan;
  block: string;
  motion: (Motion & { t: number }) | null;
  inside: number;
  travel: (Flow & { share: number; left: number; plan: Pick<Plan, "focus" | "numbers">; end: Box }) | null;
}

/** current: the tokens whose rows are marked; weights, hot: their weights on a stack's tokens, and the one under the pointer. */
interface Common extends Given {
  current: Record<Stack, number | null>;
  stacks: Record<Stack, StackPlan>;
  hidden: boolean;
  weights?: Partial<Record<Stack, Float32Array>>;
  hot?: Partial<Record<Stack, number>>;
}

export interface AttentionScene extends Common {
  kind: Kind;
  attention: AttentionPlan;
  pointed: Pointed | null;
}

export interface MatrixScene extends AttentionScene {
  attention: MatrixPlan;
}

/** A block other than a matrix, for one token. */
interface TermsScene extends Common {
  attention: null;
  token: Token;
  content: Content;
  terms: TermsPlan;
  pointed: Spot | null;
}

export type Scene = AttentionScene | TermsScene;
export type Hover = Pointed | Spot | null;

// picked: the token chosen by a click.
export function sceneOf(given: Given, hover: Hover, picked: Token | null): Scene {
  const { view, block, travel, plan } = given;
  const kind = ATTENTION_OF[block] as Kind | undefined;
  const common = {
    ...given,
    current: { encoder: null, decoder: view.step },
    stacks: { encoder: stackPlan(given, "encoder"), decoder: stackPlan(given, "decoder") },
    hidden: view.predict === "word" && !view.revealed,
  };
  if (!kind) return withTerms(common, hover, picked);
  // travelling ribbons end in the matrix as it will be laid out
  const attention = attentionPlan(travel ? { ...given, plan: { ...plan, ...travel.plan } } : given, kind);
  if (travel) attention.frame.arriving = given.inside < 1;
  return withMarks({ ...common, kind, attention, pointed: null }, cellOf(hover));
}

export const cellOf = (hover: Hover): Pointed | null => (hover && "term" in hover ? null : hover);

function withMarks(scene: AttentionScene, hover: Pointed | null): AttentionScene {
  const { data, view, kind, attention, current } = scene;
  const { frame } = attention;
  const there = stillThere(frame, hover);
  const at = there ?? computed(scene); // highlight, caption and numbers are of the same cell
  scene.pointed = at;
  const [cell, thumb] = Array.isArray(at) ? [at, null] : [null, at];
  if (frame.grid) {
    frame.marks = { thumb, tip: tipOf(frame, thumb) };
    return scene;
  }
  frame.marks = { ...marksOf(frame, cell), slides: at !== there };
  const { query, key } = stacksOf(kind);
  const { rows, columns } = frame.selection;
  const token = Math.max(...nth(rows, Math.max(activeRow(attention), 0)).tokens);
  current[query] = token;
  if (!frame.selection.covered) scene.weights = { [key]: data.weights(kind, view.layer, view.head, token) };
  const column = frame.marks.hover?.[1] ?? -1;
  if (column >= 0) scene.hot = { [key]: nth(columns, column).tokens[0] };
  return scene;
}

function withTerms(common: Common, hover: Hover, picked: Token | null): TermsScene {
  const { block, current, plan } = common;
  const token = tokenOf(common, picked);
  current[token.side === "source" ? "encoder" : "decoder"] = token.index;
  if (block === "cross_qkv") current.encoder = token.key ?? null;
  const content = contentOf(common, token);
  const terms = termsPlan(content, plan.focus);
  return { ...common, attention: null, token, content, terms, pointed: spotOf(terms, hover) };
}

// A hovered number, if the vector still has it.
export const spotOf = ({ rows }: TermsPlan, hover: Hover) =>
  hover && "term" in hover && hover.at < (rows[hover.row]?.terms[hover.term]?.values.length ?? 0) ? hover : null;

// The token whose numbers are shown: the current step's in the decoder, elsewhere the chosen one.
function tokenOf({ block, data, view }: Given, picked: Token | null): Token {
  const isThere = picked && !view.playing && (picked.side === "source" || picked.index <= view.step);
  if (block === "embedding") return isThere ? picked : { side: "target", index: view.step };
  if (isEncoders(block)) return { side: "source", index: view.token, key: view.token };
  if (block !== "cross_qkv") return { side: "target", index: view.step, key: view.step };
  const weights = data.weights("cross", view.layer, view.head, view.step);
  const guessed = view.predict === "source" && !view.revealed;
  return { side: "target", index: view.step, key: guessed ? 0 : weights.indexOf(Math.max(...weights)), guessed };
}

// panel: the arithmetic beside the matrix, or null.
export function drawScene(pen: Pen, scene: Scene, panel: Panel | null) {
  const { plan, theme, view, block, motion, inside } = scene;
  const matrix = scene.attention && isOfMatrix(scene) ? scene : null;
  drawResidual(pen, scene);
  drawWays(pen, scene);
  for (const stack of ["encoder", "decoder"] as const) drawLane(pen, scene, stack);
  drawAfter(pen, scene);
  drawOutput(pen, scene);
  const isOfStep = !scene.attention || scene.current.decoder === view.step; // otherwise a cell of another token is open
  const waiting = isEncoders(block) ? [plan.decoder, plan.output] : isOfStep ? [] : [plan.output];
  // before the card in focus is drawn, which moving cards pass below
  for (const { x, y, w, h } of waiting) pen.box(x - 2, y - 1, w + 4, h + 2, { fill: theme.surface, alpha: LATER });
  if (!inside) pen.path(rounded(plan.focus, 12), { fill: theme.surface, stroke: theme.accent, width: 2 });
  else if (scene.attention) drawAttention(pen, scene, panel);
  else drawContent(pen, scene);
  if (inside && inside < 1) pen.path(rounded(plan.focus, 12), { fill: theme.surface, alpha: 1 - inside });
  if (matrix && scene.travel) drawTravel(pen, matrix);
  if (inside === 1 && matrix && hasValues(matrix) && (!plan.numbers || view.stage === "mix")) drawMixWay(pen, matrix);
  if (motion?.flies) drawFlight(pen, scene, motion.flies, motion.t);
}

function drawContent(pen: Pen, scene: TermsScene) {
  const { plan, theme, motion, terms, content, pointed } = scene;
  pen.path(rounded(plan.focus, 12), { fill: theme.surface, stroke: theme.accent, width: 2 });
  if (plan.focus.w < LEAST_CARD || plan.focus.h < LEAST_CARD) return; // in a low window
  const t = motion?.parts ? motion.t : 1;
  drawTerms(pen, scene, terms, content, pointed, t);
  if (terms.table && t === 1) drawSoftmax(pen, scene, terms.table);
}
