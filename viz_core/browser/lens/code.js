// The drawer with the code: the lines that computed what is shown, the one of this stage highlighted.

import { el, setAttributes, setText } from "../kit/dom.js";

export function makeCode(data) {
  const file = el("p");
  const lines = el("ol");
  const node = el(
    "aside",
    { class: "code", hidden: true, tabindex: 0, role: "region", "aria-label": data.texts.lens.code },
    file,
    lines,
  );
  let shown = "";
  let seen = 0; // the line into which it is scrolled

  // beside: px of the room beside the picture, { w, h }; null: it stands below.
  const place = (beside) => {
    node.classList.toggle("beside", Boolean(beside));
    setAttributes(node, { style: beside ? `width: ${beside.w}px; height: ${beside.h}px` : null });
  };

  // block: the one in focus.
  const paint = ({ code: isOpen, stage }, block) => {
    node.hidden = !isOpen;
    if (!isOpen) {
      seen = 0;
      return;
    }
    const { place: path, numbers, lines: all, highlight } = data.code[block];
    const line = highlight[stage] ?? highlight[""];
    if (shown !== block) {
      shown = block;
      lines.replaceChildren(
        ...all.map((words, at) =>
          el("li", { value: numbers[at], style: `--indent: ${indentOf(words)}ch` }, words.trim()),
        ),
      );
    }
    setText(file, `${path}:${line}`);
    [...lines.children].forEach((item, at) =>
      setAttributes(item, { "aria-current": numbers[at] === line ? "true" : null }),
    );
    const now = lines.querySelector("[aria-current]");
    if (now && seen !== line) node.scrollTop = now.offsetTop - node.clientHeight / 3;
    if (!seen && !node.classList.contains("beside")) node.scrollIntoView({ block: "center" }); // below what is in the window
    seen = line;
  };
  return { node, place, paint };
}

const indentOf = (words) => words.length - words.trimStart().length;
