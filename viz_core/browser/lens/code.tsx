// The drawer with the code: the lines that computed what is shown, the one of this stage highlighted.

import { render } from "preact";
import type { View } from "../../web/src/ui/store";
import { el, setAttributes } from "../kit/dom";
import type { Overview } from "../overview/data";

export function makeCode(data: Overview) {
  const label = data.texts.lens.code;
  const node = el("aside", { class: "code", hidden: true, tabindex: 0, role: "region", "aria-label": label });
  let seen: number | undefined; // the line into which it is scrolled

  // beside: px of the room beside the picture; null: it stands below.
  const place = (beside: { w: number; h: number } | null) => {
    node.classList.toggle("beside", Boolean(beside));
    setAttributes(node, { style: beside ? `width: ${beside.w}px; height: ${beside.h}px` : null });
  };

  // block: the one in focus.
  const paint = ({ code: isOpen, stage }: View, block: string) => {
    const shown = data.code[block];
    node.hidden = !isOpen || !shown;
    if (!isOpen || !shown) {
      seen = undefined;
      return;
    }
    const line = shown.highlight[stage] ?? shown.highlight[""];
    render(
      <>
        <p>{`${shown.place}:${line}`}</p>
        <ol>
          {shown.lines.map((words, at) => {
            const number = shown.numbers[at];
            const style = { "--indent": `${words.length - words.trimStart().length}ch` };
            return (
              <li key={`${block} ${at}`} value={number} style={style} aria-current={number === line ? "true" : undefined}>
                {words.trim()}
              </li>
            );
          })}
        </ol>
      </>,
      node,
    );
    const now = node.querySelector<HTMLElement>("[aria-current]");
    if (now && seen !== line) node.scrollTop = now.offsetTop - node.clientHeight / 3;
    if (!seen && !node.classList.contains("beside")) node.scrollIntoView({ block: "center" }); // below what is in the window
    seen = line;
  };
  return { node, place, paint };
}
