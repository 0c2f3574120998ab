// Roles of heads, and what is lost without each, as pages/heads/measured.py: of this sentence, or as stored with the model.

import { fill } from "../../payload";
import { type Ablated, ablating } from "../analysis/importance";
import { headsOut } from "../edit_table";
import { idsOf } from "../tokenizer/base";
import { siteEdits } from "../edits";
import { integers, type Kind, layersOf, BLOCK, pack, type Scene } from "./view";

type Of = "sentence" | "many" | "bleu";
type Numbers = readonly (readonly number[])[]; // of each layer and head
type Drops = Record<Kind, Numbers>;
type Roles = {
  measures: Record<string, { values: Numbers; uniform: number } | null | undefined>;
  roles: string[][];
  evidence: ({ text: string; weight: number } | null)[][];
};

/** The file heads.json beside a model. sha256: of the weights. */
export type StoredHeads = {
  sha256: string;
  sentences: number;
  attention: Record<Kind, Roles>;
  importance: { log_prob: Drops; count: number; bleu: { whole: number; drops: Drops; count: number } | null } | null;
};

const SHARES: Record<Kind, string> = {
  self: "self previous next first last punctuation word repetition article near",
  masked: "self previous first punctuation word repetition article near",
  cross: "self previous next first last punctuation repetition near alignment",
};
const SENTENCES = ["role", "aligned", "none", "unmeasured"];

export function headRoles(scene: Scene, asked: URLSearchParams) {
  const [kind, count] = [asked.get("kind") as Kind, Number(asked.get("count"))];
  if (scene.heads?.sentences !== count) throw lacking(scene, "head_roles");
  const { tensors, about } = rolesOf(scene, kind, scene.heads.attention[kind]);
  return pack(tensors, { ...about, count, ...aboutOf(scene, kind) });
}

export function* headAblation(scene: Scene, asked: URLSearchParams): Generator<unknown, Uint8Array> {
  const [kind, of, { heads }] = [asked.get("kind") as Kind, asked.get("of") as Of, scene];
  const numbers = of === "sentence" ? yield* ofSentence(scene, kind) : stored(scene, kind, of);
  const known = heads?.sentences === Number(asked.get("count")) ? heads.attention[kind] : null;
  const { tensors, about } = rolesOf(scene, kind, known);
  const out = of === "sentence" ? headsOut(scene.explanation.table, scene.model.config, kind) : [];
  const { drops, ...lost } = numbers;
  const words = aboutOf(scene, kind, scene.words("heads").ablations[of]);
  return pack({ drops: doubles(shapeOf(scene, kind), drops), ...tensors }, { ...about, ...lost, of, out, ...words });
}

function* ofSentence({ model, explanation }: Scene, kind: Kind) {
  const { source, target, output, table } = explanation;
  const written = { source: idsOf(source), target: idsOf(target), output: output.map(({ id }) => id) };
  const ablated: Ablated = yield* ablating(model, written, siteEdits(table, model.config), [kind]);
  const total = (each: readonly number[]) => each.reduce((sum, value) => sum + value, 0);
  const whole = total(ablated.log_probs);
  return { drops: ablated.without[kind]?.map((row) => row.map((each) => whole - total(each))) ?? [], whole, count: output.length };
}

function stored(scene: Scene, kind: Kind, of: "many" | "bleu") {
  const saved = scene.heads?.importance;
  if (saved && of === "many") return { drops: saved.log_prob[kind], whole: 0, count: saved.count };
  if (!saved?.bleu) throw lacking(scene, "head_ablation");
  return { drops: saved.bleu.drops[kind], whole: saved.bleu.whole, count: saved.bleu.count };
}

const lacking = ({ words }: Scene, view: string) => new Error(fill(words("app.answers").lacking, { view }));

const shapeOf = ({ model: { config } }: Scene, kind: Kind) => [layersOf(config, BLOCK[kind][0]), config.n_heads] as const;

const doubles = (shape: readonly number[], numbers: Numbers) => ({ shape, data: Float64Array.from(numbers.flat()) });

function rolesOf(scene: Scene, kind: Kind, known: Roles | null) {
  const shape = shapeOf(scene, kind);
  const grid = <Each>(each: Each) => Array.from({ length: shape[0] }, () => Array<Each>(shape[1]).fill(each));
  const { measures, roles, evidence } = known ?? { measures: {}, roles: grid("none"), evidence: grid(null) };
  const named = scene.words("analysis.roles");
  const text = (table: string, name: string) => named[kind]?.[table]?.[name] ?? named[table][name];
  const names = SHARES[kind].split(" ").filter((name) => measures[name]);
  const uniform = names.map((name) => measures[name]?.uniform ?? 0);
  const values = (name: string) => measures[name]?.values ?? grid(0);
  return {
    tensors: {
      shares: doubles([names.length, ...shape], names.flatMap(values)),
      uniform: doubles([names.length], [uniform]),
      role: integers(shape, roles.flat().map((role) => names.indexOf(role))), // biome-ignore format: one line
      entropy: doubles(shape, values("entropy")),
      agreement: doubles(shape, values("agreement")),
    },
    about: {
      measures: names.map((name) => ({ name, label: text("name", name), what: text("what", name) })),
      examples: evidence.map((row) => row.map((each) => each && [each.text, each.weight])),
    },
  };
}

function aboutOf({ words }: Scene, kind: Kind, more: object = {}) {
  const [own, roles] = [words("heads"), words("analysis.roles")];
  const shared = {
    ...own.head_map,
    columns: own.role_columns,
    sentences: Object.fromEntries(SENTENCES.map((name) => [name, roles[name]])),
    no_role: roles.name.none,
    named: words("joined").named,
  };
  return { kind, attention: own.attention_names[kind], texts: { ...shared, ...more } };
}
