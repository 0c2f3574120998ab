// Widths of words, and how far the page is scrolled.

const FONT = '"Source Sans", "Source Sans 3", "Source Sans Pro", system-ui, sans-serif';

// (text, px) => the width of a text in half-bold letters, on the generous side for others.
export function measureWords() {
  const pen = document.createElement("canvas").getContext("2d"), known = new Map();
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

// Of the bar at the foot of the window in lecture mode, in px.
export function barHeight() {
  return parseFloat(getComputedStyle(document.documentElement).getPropertyValue("--viz-bar")) || 0;
}

// How far what holds a node has been scrolled down, through shadow roots.
export function scrolledBy(node) {
  let sum = window.scrollY;
  for (let each = node; each && each !== document.documentElement; each = each.parentElement ?? each.getRootNode().host) sum += each.scrollTop;
  return sum;
}
