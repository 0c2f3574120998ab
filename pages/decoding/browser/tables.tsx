// Beam search in words and tables: the candidates of a step, the finished hypotheses, and the caption of one node.

import { decimals, grouped, percent } from "../../../viz_core/browser/kit/numbers";
import { useSidewaysStop } from "../../../viz_core/web/src/ui/part";
import type { Candidate, Tree } from "./data";

/** Three decimals, as in the sums, and more where a non-zero number would read as 0. */
export const scoreText = (value: number): string => decimals(value, 3, 9);

export function readingOfNode(node: Candidate, { text, say }: Tree): string {
  const values = {
    text: text(node),
    token: node.label,
    step: node.step + 1,
    rank: node.rank + 1,
    percent: percent(Math.exp(node.logProb)),
    log: scoreText(node.logProb),
    total: scoreText(node.total),
    score: scoreText(node.score),
  };
  return [say(`reading.${node.fate}`, values), node.best && say("is_best"), node.greedy && say("is_greedy")]
    .filter(Boolean)
    .join(" ");
}

/** One step, and how the search ends, for screen readers. */
export function spokenTree({ about, message, columns, text, say }: Tree, step: number, guess: number, limit: number): string {
  if (step >= guess) return say("spoken_hidden", { step: step + 1 });
  const list = (columns[step] ?? [])
    .filter(({ fate }) => fate !== "pruned")
    .map((node) => say(`said.${node.fate}`, { rank: node.rank + 1, text: text(node), score: scoreText(node.score) }))
    .join(", ");
  const all = say("spoken", { step: step + 1, steps: about.steps, size: about.size, list: list || say("nothing") });
  return guess < limit ? all : `${all} ${message}`;
}

function Heads({ names, of, say }: { names: readonly string[]; of: string; say: Tree["say"] }) {
  return (
    <thead>
      <tr>
        {names.map((name) => (
          <th key={name} scope="col" class={name} children={say(`${of}.${name}`)} />
        ))}
      </tr>
    </thead>
  );
}

const CANDIDATE = ["rank", "text", "log", "total", "score", "fate"] as const;

interface CandidatesProps {
  tree: Tree;
  step: number;
  hidden: boolean;
  picked: Candidate | null;
  hover: (node: Candidate | null) => void;
  pick: (node: Candidate) => void;
}

export function Candidates({ tree, step, hidden, picked, hover, pick }: CandidatesProps) {
  const { columns, about, say } = tree;
  const column = hidden ? [] : (columns[step] ?? []);
  const more = about.others[step] ?? 0;
  const note = () => {
    if (hidden) return say("guess");
    if (!columns[step]) return say("over", { steps: about.steps });
    if (!column.length) return say("not_finite");
    if (about.forced.includes(step)) return say("forced");
    return more ? say("more", { more: grouped(more) }) : "";
  };
  const node = useSidewaysStop<HTMLElement>();
  return (
    <section ref={node} class="candidates" aria-label={say("candidates")}>
      <h2>{say("candidates_of", { step: step + 1 })}</h2>
      <table hidden={!column.length}>
        <Heads names={CANDIDATE} of="candidate" say={say} />
        <tbody>
          {column.map((node) => {
            const names = [node.fate, node.best && "best", node === picked && "picked"].filter(Boolean);
            const before = node.parent ? tree.text(node.parent) : "";
            const added = tree.text(node).slice(before.length) || ` ${node.label}`;
            const blank = added.startsWith(" ") ? " " : "";
            return (
              <tr
                key={`${step} ${node.rank}`}
                class={names.join(" ")}
                onPointerEnter={() => hover(node)}
                onPointerLeave={() => hover(null)}>
                <td class="rank">{node.rank + 1}</td>
                <td class="text">
                  <button
                    type="button"
                    aria-pressed={node === picked}
                    onClick={() => pick(node)}
                    onFocus={() => hover(node)}
                    onBlur={() => hover(null)}>
                    <span class="before">{before + blank}</span>
                    <b>{added.slice(blank.length)}</b>
                  </button>
                </td>
                <td class="log" title={percent(Math.exp(node.logProb))} children={scoreText(node.logProb)} />
                <td class="total">{scoreText(node.total)}</td>
                <td class="score">{scoreText(node.score)}</td>
                <td class="fate">{say(`fate.${node.fate}`)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
      <p class="note">{note()}</p>
    </section>
  );
}

const ENDING = ["rank", "score", "total", "length", "penalty", "text"] as const;

export function Endings({ tree: { about, say }, hidden }: { tree: Tree; hidden: boolean }) {
  const node = useSidewaysStop<HTMLElement>();
  return (
    <section ref={node} class="endings" aria-label={say("endings")}>
      <h2>{say("endings")}</h2>
      <table hidden={hidden}>
        <Heads names={ENDING} of="ending" say={say} />
        <tbody>
          {!hidden &&
            about.endings.map((ending, at) => (
              <tr key={at} class={at ? undefined : "best"}>
                <td>{ending.listed ? at + 1 : "–"}</td>
                <td>{scoreText(ending.score)}</td>
                <td>{scoreText(ending.total)}</td>
                <td>{ending.length}</td>
                <td>{scoreText(ending.penalty)}</td>
                <td class="text">
                  {ending.text}
                  {ending.greedy && <span class="mark"> {say("by_greedy")}</span>}
                  {!ending.ended && <span class="mark"> {say("unended")}</span>}
                </td>
              </tr>
            ))}
        </tbody>
      </table>
      <p class="note">{hidden && say("guess")}</p>
    </section>
  );
}
