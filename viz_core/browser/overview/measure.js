// Widths of words.

const FONT = '"Source Sans", "Source Sans 3", "Source Sans Pro", system-ui, sans-serif';

// (text, px) => the width of a text in half-bold letters, on the generous side for others.
export function measureWords() {
  const pen = document.createElement("canvas").getContext("2d");
  const known = new Map();
  document.fonts?.ready.then(() => known.clear());
  return (text, px) => {
    const key = `${px} ${text}`;
    if (!known.has(key)) {
      pen.font = `600 ${px}px ${FONT}`;
      known.set(key, pen.measureText(text).width);
    }
    return known.get(key);
  };
}
