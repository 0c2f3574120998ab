// A text beside each row or over each column, such as its token or a number.

import { type Ink, type Mark, type TextStyle, textInk } from "./mark";
import { READABLE } from "../../../browser/kit/pen";
import { isLabelled } from "./cells";
import type { Band } from "./scale";

interface Labels extends Omit<TextStyle, "bold"> {
  x: number | ((at: number) => number); // px across, of all or of each
  held?: number; // written bold, with `heldInk`
  heldInk?: Ink;
}

export function rowLabels(y: Band, words: readonly string[], { x, held = -1, heldInk = "accent", ...style }: Labels): Mark {
  return {
    draw(pen, theme) {
      words.forEach((label, at) => {
        if (!isLabelled(at, held, y.step)) return;
        const own = at === held ? { ink: heldInk, bold: true } : {};
        pen.text(label, typeof x === "number" ? x : x(at), y(at), textInk(theme, { ...style, ...own }));
      });
    },
  };
}

interface Heads {
  y: number; // px of their feet
  held: number;
  heldInk?: Ink;
  max: number;
  level?: boolean;
}

/** Slanting upwards from a height on, or level where all have room. */
export function columnLabels(x: Band, words: readonly string[], { y, held, heldInk = "accent", max, level = false }: Heads): Mark {
  return {
    draw(pen, theme) {
      words.forEach((label, at) => {
        if (!isLabelled(at, held, x.step)) return;
        const style = textInk(theme, at === held ? { ink: heldInk, bold: true } : {});
        if (level) pen.text(label, x(at), y - READABLE / 2 + 4, { ...style, align: "center" });
        else pen.text(label, x(at), y, { ...style, angle: -40, max });
      });
    },
  };
}
