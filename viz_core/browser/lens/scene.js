// The scene of the lens: all that is drawn of a view at one moment, and its drawing.

import { marksOf } from "../attention_view/marks";
import { stillThere } from "../attention_view/picture";
import { tipOf } from "../attention_view/reading";
import { ATTENTION_OF, isEncoders } from "../kit/operations.js";
import { drawAfter, drawMixWay, drawResidual } from "./after.js";
import { askedRow, attentionPlan, drawAttention, hasValues, stacksOf } from "./attention.js";
import { contentOf } from "./blocks.js";
import { rounded } from "./ink.js";
import { computed } from "./motion.js";
import { drawFlight, drawOutput, drawWays } from "./next_token.js";
import { drawSoftmax } from "./softmax.js";
import { drawLane, stackPlan } from "./stacks.js";
import { drawTerms, termsPlan } from "./terms.js";
import { drawTravel } from "./travel.js";

const LATER = 0.62; // of the surface over what does not follow from what one looks at
const LEAST_CARD = 240; // px of a card in which vectors are drawn

// given: { data, version, view, theme, plan, block, motion, inside, travel }, inside: how much is seen of what stands in the
// card in focus, 0 to 1; travel: of ribbons into the matrix, or null; hover: what is under the pointer, a cell or { row, term, at };
// picked: a token that was chosen, { side, index }. Adds to it what is drawn where.
export function sceneOf(given, hover, picked) {
  const { data, view, block } = given;
  const kind = ATTENTION_OF[block];
  const scene = { ...given, kind, texts: data.texts, current: { encoder: null, decoder: view.step } };
  // the matrix into which ribbons travel is laid out in the card as it will be
  const { travel, plan } = scene;
  scene.attention = kind ? attentionPlan(travel ? { ...scene, plan: { ...plan, ...travel.plan } } : scene) : null;
  if (travel) scene.attention.frame.arriving = scene.inside < 1;
  scene.stacks = { encoder: stackPlan(scene, "encoder"), decoder: stackPlan(scene, "decoder") };
  scene.hidden = view.predict === "word" && !view.revealed;
  return kind ? withMarks(scene, hover) : withTerms(scene, hover, picked);
}

function withMarks(scene, hover) {
  const { data, view, kind, attention, current } = scene;
  const { frame } = attention;
  const there = stillThere(frame, hover);
  const at = there ?? computed(scene); // the highlight, the words and the numbers are of one cell
  scene.pointed = at;
  frame.marks = frame.grid
    ? { thumb: there, tip: tipOf(frame, there) }
    : { ...marksOf(frame, at), slides: at !== there };
  if (frame.grid) return scene;
  const { query, key } = stacksOf(kind);
  current[query] = frame.selection.rows[Math.max(askedRow(attention), 0)].tokens.at(-1);
  if (!frame.selection.covered) scene.weights = { [key]: data.weights(kind, view.layer, view.head, current[query]) };
  const column = frame.marks.hover?.[1] ?? -1;
  if (column >= 0) scene.hot = { [key]: frame.selection.columns[column].tokens[0] };
  return scene;
}

// What is no matrix, for one token.
function withTerms(scene, hover, picked) {
  const { block, current, plan } = scene;
  const token = tokenOf(scene, picked);
  scene.token = token;
  current[token.side === "source" ? "encoder" : "decoder"] = token.index;
  if (block === "cross_qkv") current.encoder = token.key;
  scene.content = contentOf(scene, token);
  scene.terms = termsPlan(scene.content, plan.focus);
  scene.pointed = spotOf(scene, hover);
  return scene;
}

// A cell of a vector that is there: { row, term, at }, or null.
export const spotOf = ({ terms }, hover) =>
  hover && hover.at < (terms.rows[hover.row]?.terms[hover.term]?.values.length ?? 0) ? hover : null;

// Whose numbers are shown: in the decoder those of the token of this step, else of the one that was chosen.
function tokenOf({ block, data, view }, picked) {
  const isThere = picked && !view.playing && (picked.side === "source" || picked.index <= view.step);
  if (block === "embedding") return isThere ? picked : { side: "target", index: view.step };
  if (isEncoders(block)) return { side: "source", index: view.token, key: view.token };
  if (block !== "cross_qkv") return { side: "target", index: view.step, key: view.step };
  const weights = data.weights("cross", view.layer, view.head, view.step);
  const guessed = view.predict === "source" && !view.revealed;
  return { side: "target", index: view.step, key: guessed ? 0 : weights.indexOf(Math.max(...weights)), guessed };
}

// panel: of the arithmetic beside the matrix, or null.
export function drawScene(pen, scene, panel) {
  const { plan, theme, view, block, attention, motion, inside } = scene;
  drawResidual(pen, scene);
  drawWays(pen, scene);
  for (const stack of ["encoder", "decoder"]) drawLane(pen, scene, stack);
  drawAfter(pen, scene);
  drawOutput(pen, scene);
  const isOfStep = !attention || scene.current.decoder === view.step; // else a cell of another token is open
  const waiting = isEncoders(block) ? [plan.decoder, plan.output] : isOfStep ? [] : [plan.output];
  // below the card in focus, which some of them pass on their way
  for (const { x, y, w, h } of waiting) pen.box(x - 2, y - 1, w + 4, h + 2, { fill: theme.surface, alpha: LATER });
  if (!inside) pen.path(rounded(plan.focus, 12), { fill: theme.surface, stroke: theme.accent, width: 2 });
  else if (attention) drawAttention(pen, scene, { panel });
  else drawContent(pen, scene);
  if (inside && inside < 1) pen.path(rounded(plan.focus, 12), { fill: theme.surface, alpha: 1 - inside });
  if (scene.travel) drawTravel(pen, scene);
  if (inside === 1 && attention?.isMatrix && hasValues(scene) && (!plan.numbers || view.stage === "mix"))
    drawMixWay(pen, scene, attention.mix);
  if (motion?.flies) drawFlight(pen, scene);
}

function drawContent(pen, scene) {
  const { plan, theme, motion, terms, content, pointed } = scene;
  pen.path(rounded(plan.focus, 12), { fill: theme.surface, stroke: theme.accent, width: 2 });
  if (plan.focus.w < LEAST_CARD || plan.focus.h < LEAST_CARD) return; // of a low window
  const t = motion?.parts ? motion.t : 1;
  drawTerms(pen, scene, terms, content, { hover: pointed, t });
  if (terms.table && t === 1) drawSoftmax(pen, scene, terms.table);
}
