// How much room a part has in the window, and how large the page's letters are.

const LETTERS = 18; // px outside lecture mode; in lecture mode they grow with the window

// How many times larger than outside lecture mode the page's letters are.
export function lettersScale() {
  return parseFloat(getComputedStyle(document.documentElement).fontSize) / LETTERS || 1;
}

// How much larger the window is than the one for which figures are drawn: in lecture mode no letter grows less.
export function windowScale() {
  return property("--viz-scale") || 1;
}

// Of the bar at the foot of the window, in px.
export function barHeight() {
  return property("--viz-bar");
}

function property(name) {
  return parseFloat(getComputedStyle(document.documentElement).getPropertyValue(name)) || 0;
}

// From the top of the page, however far it is scrolled, through shadow roots; in px.
export function topOf(root) {
  let top = root.getBoundingClientRect().top;
  for (let node = root; node; node = node.parentNode ?? node.host) top += node.scrollTop ?? 0;
  return top;
}
