// The code drawer: the lines that computed what is shown, with the current stage's line highlighted.

import { render } from "preact";
import type { View } from "../../web/src/ui/store";
import { el, setAttributes } from "../kit/dom";
import type { Overview } from "../overview/data";

export function makeCode(data: Overview) {
  const label = data.texts.lens.code;
  const node = el("aside", { class: "code", hidden: true, tabindex: 0, role: "region", "aria-label": label });
  let seen: number | undefined; // the line last scrolled to

  // beside: px of the drawer when it is beside the picture; null: it is below.
  const place = (beside: { w: number; h: number } | null) => {
    node.classList.toggle("beside", Boolean(beside));
    setAttributes(node, { style: beside ? `width: ${beside.w}px; height: ${beside.h}px` : null });
  };

  const paint = ({ code: isOpen, stage }: View, block: string) => {
    const code = data.code[block];
    node.hidden = !isOpen || !code;
    if (!isOpen || !code) {
      seen = undefined;
      return;
    }
    const line = code.highlight[stage] ?? code.highlight[""];
    render(
      <>
        <p>{`${code.place}:${line}`}</p>
        <ol>
          {code.lines.map((words, at) => {
            const number = code.numbers[at];
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
    if (!seen && !node.classList.contains("beside")) node.scrollIntoView({ block: "center" }); // it may be below the window
    seen = line;
  };
  return { node, place, paint };
}
