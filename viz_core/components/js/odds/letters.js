// Text in drawings: how wide it is, and cut to a width.

export const FAMILY = "'Source Sans', sans-serif", SIZE = 18; // px: the projector's floor

let pen = null;

export function widthOf(text, size = SIZE, weight = 400) {
  pen ??= document.createElement("canvas").getContext("2d");
  pen.font = `${weight} ${size}px ${FAMILY}`;
  return pen.measureText(text).width;
}

// The text, or what fits of it and an ellipsis: of its start, or of its end.
export function fitted(text, room, { size = SIZE, weight = 400, end = false } = {}) {
  if (widthOf(text, size, weight) <= room) return text;
  const signs = [...text];
  let low = 0, high = signs.length; // so many signs fit; more than `high` do not
  const cut = (count) => (end ? `…${signs.slice(signs.length - count).join("")}` : `${signs.slice(0, count).join("")}…`);
  while (low < high) {
    const count = Math.ceil((low + high) / 2);
    if (widthOf(cut(count), size, weight) <= room) low = count; else high = count - 1;
  }
  return cut(low);
}
