// Layout of the tree in px: a column per step, a line per hypothesis, the best at the top.

const PITCH = 140;
const NODE = 110;
const ROOT = 46;
const GAP = 30; // from column to column, of a node, of the ⟨s⟩ before all, and behind it
export const HEAD = 52; // the steps' numbers, and below them what happens there
const TALL = 46;
const FLAT = 30;
const FLATTEST = 25;
const FOOT = 6;
const INSET = 3; // of a line with its scores and without
const SCORE = 62; // px that the current column is wider where only it has scores
const AHEAD = 2; // columns after the current one that are kept in sight

// tall: whether each node has its score below its token; else the nodes of the step `highlighted` have it beside
// theirs. room: px of height that there are, to which flat lines are pressed.
export function layoutOf({ columns, rows }, tall, highlighted, room = Infinity) {
  const row = tall ? TALL : Math.min(FLAT, Math.max(FLATTEST, Math.floor((room - HEAD - FOOT) / rows)));
  const inset = row < FLAT ? 2 : INSET;
  const more = (step) => (!tall && step === highlighted ? SCORE : 0);
  const left = (step) => ROOT + GAP + step * PITCH + (!tall && step > highlighted ? SCORE : 0);
  const wide = (step) => NODE + more(step);
  return {
    tall,
    row,
    wide,
    left,
    pitch: PITCH,
    width: left(columns.length) - PITCH + NODE + GAP + more(columns.length - 1),
    height: HEAD + rows * row + FOOT,
    middle: (step) => left(step) + wide(step) / 2,
    root: { x: 2, y: HEAD + inset, w: ROOT, h: row - 2 * inset },
    box: (node) => ({ x: left(node.step), y: HEAD + node.row * row + inset, w: wide(node.step), h: row - 2 * inset }),
  };
}

export function highOf({ rows }, tall) {
  return HEAD + rows * (tall ? TALL : FLAT) + FOOT;
}

// As much of the height as there is room for without a row cut through.
export function wholeRows({ row, height }, room) {
  return height <= room ? height : HEAD + Math.floor((room - HEAD) / row) * row;
}

// The step whose column is at a point of the whole drawing, and the node; null where there is none.
export function stepUnder({ columns }, layout, x) {
  const at = columns.findIndex((_, step) => x >= layout.left(step) && x <= layout.left(step) + layout.wide(step));
  return at < 0 ? null : at;
}

export function nodeUnder(tree, layout, x, y) {
  const step = stepUnder(tree, layout, x);
  const row = Math.floor((y - HEAD) / layout.row);
  return step === null || y < HEAD ? null : (tree.columns[step].find((node) => node.drawn && node.row === row) ?? null);
}

// The columns that are seen at all: the first one, and the one behind the last.
export function columnsSeen({ columns }, layout, from, width) {
  const seen = [...columns.keys()].filter(
    (step) => layout.left(step) + layout.wide(step) + GAP > from && layout.left(step) - GAP < from + width,
  );
  return [seen[0] ?? 0, (seen.at(-1) ?? -1) + 1];
}

// How far to scroll so that a column is seen, and what follows; as little as can be.
export function scrolledTo(layout, step, from, width) {
  const most = Math.max(0, layout.width - width);
  const ahead = Math.min(AHEAD, Math.floor(width / layout.pitch / 3));
  const left = layout.left(step) - layout.pitch;
  const right = layout.left(step) + layout.wide(step) + ahead * layout.pitch;
  return Math.round(Math.min(Math.max(left < from ? left : right > from + width ? right - width : from, 0), most));
}
