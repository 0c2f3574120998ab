// Elements, the theme's colours on them, and the room they have in the window. Text always goes in as text.

const SVG = "http://www.w3.org/2000/svg";

export function el(name, attributes = {}, ...children) {
  return made(document.createElement(name), attributes, children);
}

export function svgEl(name, attributes = {}, ...children) {
  return made(document.createElementNS(SVG, name), attributes, children);
}

function made(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

export function setAttributes(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    const text = String(value);
    if (node.getAttribute(name) !== text) node.setAttribute(name, text);
  }
}

const COLOURS =
  "ink quiet surface panel line masked accent q k v output encoder decoder q_text k_text v_text output_text".split(" ");

// The theme's colours as CSS variables of a part.
export function dress(root, theme) {
  for (const name of COLOURS) if (theme[name]) root.style.setProperty(`--${name}`, theme[name]);
  root.style.colorScheme = theme.dark ? "dark" : "light";
  root.toggleAttribute("data-still", Boolean(theme.still));
}

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
