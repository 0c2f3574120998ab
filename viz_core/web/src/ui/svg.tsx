// What drawings in SVG share.

import { FAMILY, READABLE } from "../../../browser/kit/pen";

// Attributes of a drawing: its px, from `top` px above 0, and how many times larger it is shown.
export const sized = (width: number, height: number, scale = 1, top = 0) => ({
  width: width * scale,
  height: height * scale,
  viewBox: `0 ${-top} ${width} ${height}`,
  "font-family": FAMILY,
  "font-size": READABLE,
});

interface WordsProps {
  words: string;
  x: number;
  y: number;
  fill?: string;
  bold?: boolean;
  anchor?: "start" | "middle" | "end";
  size?: number;
  more?: { words: string; fill: string } | false; // behind them, never bold
}

export function Words({ words, bold, anchor, size, more, ...place }: WordsProps) {
  return (
    <text {...place} text-anchor={anchor} font-size={size} font-weight={bold ? 600 : undefined}>
      {words}
      {more && (
        <tspan fill={more.fill} font-weight={400}>
          {more.words}
        </tspan>
      )}
    </text>
  );
}

// Listeners for a click on what is under the pointer, and for its highlighting. at(event): its index, or null.
export function pointing(at: (event: MouseEvent) => number | null, act: Pointed) {
  return {
    onClick(event: MouseEvent) {
      const index = at(event);
      if (index !== null) act.pick(index);
    },
    onPointerMove: (event: MouseEvent) => act.hover(at(event)),
    onPointerLeave: () => act.hover(null),
  };
}

export interface Pointed {
  pick: (index: number) => void;
  hover: (index: number | null) => void;
}
