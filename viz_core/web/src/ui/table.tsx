// A table of numbers in a frame that scrolls, also by the keyboard.

import type { ComponentChild } from "preact";
import { useSideways } from "./part";

interface TableProps {
  /** Its name for screen readers. */
  label: string;
  /** Headings; an empty one becomes an empty cell. */
  columns: readonly string[];
  /** The first cell of a line is its heading; a cell that is not a text is an element `td`. */
  lines: readonly ComponentChild[][];
  /** Index of a line, of a column. */
  highlighted?: number;
  column?: number;
  /** How many lines at the end sum up the others. */
  sums?: number;
  /** CSS classes of columns: `word` is aligned left. */
  kinds?: readonly string[];
}

export function Table({ label, columns, lines, highlighted = -1, column = -1, sums = 0, kinds = ["word"] }: TableProps) {
  const frame = useSideways<HTMLDivElement>();
  const kindOf = (at: number) => (at === highlighted ? "highlighted" : at >= lines.length - sums ? "sum" : "");
  const classOf = (at: number) => [kinds[at], at === column && "highlighted"].filter(Boolean).join(" ") || undefined;
  const cellOf = (cell: ComponentChild, at: number) =>
    typeof cell === "string" ? <td key={at} class={classOf(at + 1)} children={cell} /> : cell;
  return (
    <div class="table-frame" tabIndex={0} role="region" aria-label={label} ref={frame}>
      <table>
        <thead>
          <tr>
            {columns.map((name, at) => (name ? <th key={at} scope="col" class={kinds[at]} children={name} /> : <td key={at} />))}
          </tr>
        </thead>
        <tbody>
          {lines.map(([name, ...cells], at) => (
            <tr key={at} class={kindOf(at)}>
              {name === "" ? <td /> : <th scope="row" class={kinds[0]} children={name} />}
              {cells.map(cellOf)}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** A sentence in a cell: pieces of its text, whether they differ from another sentence's, and whether an edit forces them. */
export const Sentence = ({ of }: { of: readonly [text: string, differs: boolean, forced?: boolean][] }) => (
  <td class="word sentence">
    {of.map(([text, differs, forced]) => {
      const words = differs ? <mark>{text}</mark> : text;
      return forced ? <span class="forced">{words}</span> : words;
    })}
  </td>
);
