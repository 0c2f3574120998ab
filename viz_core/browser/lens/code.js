// The drawer with the code: the lines that computed what is shown, the one of this stage highlighted.

import { el, setAttributes, setText } from "../kit/dom.js";

export function makeCode(data) {
  const place = el("p");
  const lines = el("ol");
  const node = el(
    "aside",
    { class: "code", tabindex: 0, role: "region", "aria-label": data.texts.lens.code },
    place,
    lines,
  );
  let shown = "";
  let seen = 0; // the line into which it is scrolled

  // block: the one in focus.
  const paint = ({ code: isOpen, stage }, block) => {
    node.hidden = !isOpen;
    if (!isOpen) {
      seen = 0;
      return;
    }
    const { place: file, numbers, lines: all, highlight } = data.code[block];
    const line = highlight[stage] ?? highlight[""];
    if (shown !== block) {
      shown = block;
      lines.replaceChildren(
        ...all.map((words, at) =>
          el("li", { value: numbers[at], style: `--indent: ${indentOf(words)}ch` }, words.trim()),
        ),
      );
    }
    setText(place, `${file}:${line}`);
    [...lines.children].forEach((item, at) =>
      setAttributes(item, { "aria-current": numbers[at] === line ? "true" : null }),
    );
    const now = lines.querySelector("[aria-current]");
    if (now && seen !== line) node.scrollTop = now.offsetTop - node.clientHeight / 3;
    seen = line;
  };
  return { node, paint };
}

const indentOf = (words) => words.length - words.trimStart().length;
