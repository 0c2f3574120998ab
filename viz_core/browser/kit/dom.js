// Small helpers for the page. Text always goes in as text.

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

const DRESSED = [
  "ink",
  "quiet",
  "surface",
  "panel",
  "line",
  "masked",
  "accent",
  "q",
  "k",
  "v",
  "output",
  "encoder",
  "decoder",
  "q_text",
  "k_text",
  "v_text",
  "output_text",
];

// The theme's colours as CSS variables of a part.
export function dress(root, theme) {
  for (const name of DRESSED) if (theme[name]) root.style.setProperty(`--${name}`, theme[name]);
  root.style.colorScheme = theme.dark ? "dark" : "light";
  root.toggleAttribute("data-still", Boolean(theme.still));
}
