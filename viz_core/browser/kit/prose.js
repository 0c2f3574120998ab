// Markdown of our own as elements: paragraphs, **bold**, :gray[…] and formulas. Typed text comes as character references, so that
// no sign of it is read as markup. The formulas are set as on the rest of the page, by Streamlit's own rehype-katex.

import { el } from "./dom.js";

const INLINE = /\$((?:\\.|[^$\\])+)\$|(\*\*)|:gray\[|(\])|&#(\d+);/gs;
const DISPLAY = /\$\$([\s\S]+?)\$\$/g;
const THOUSANDS = /(?<=\d),(?=\d{3})/g; // TeX sets a space behind a bare comma

const MINUS = /(?<![\p{L}\p{N}])-(?=\d)/gu; // of a number; what was typed comes as character references
const NAMESPACES = { svg: "http://www.w3.org/2000/svg", math: "http://www.w3.org/1998/Math/MathML" };
const ATTRIBUTES = { className: "class", ariaHidden: "aria-hidden" };

let loading = null; // once for all pages

// Resolves to (tex, isDisplay) => the nodes of a formula, or to null where the server has nothing that sets them.
export function loadTypesetter(address) {
  loading ??= address
    ? import(new URL(address, location.origin)).then(
        ({ default: plugin }) => typesetterOf(plugin({ strict: false })),
        () => null,
      )
    : Promise.resolve(null);
  return loading;
}

// rehype-katex replaces an element of a tree (hast) whose class says that it holds a formula.
function typesetterOf(transform) {
  return (tex, isDisplay) => {
    const properties = { className: [isDisplay ? "math-display" : "math-inline"] };
    const formula = { type: "element", tagName: "span", properties, children: [{ type: "text", value: tex }] };
    const tree = { type: "root", children: [formula] };
    transform(tree, { message: () => {} }); // what it cannot read it shows as it is written
    return tree.children.map((child) => nodeOf(child, null));
  };
}

function nodeOf({ type, value, tagName, properties, children }, namespace) {
  if (type !== "element") return document.createTextNode(value ?? "");
  const within = NAMESPACES[tagName] ?? namespace;
  const node = within ? document.createElementNS(within, tagName) : document.createElement(tagName);
  for (const [name, given] of Object.entries(properties))
    if (name !== "xmlns") node.setAttribute(ATTRIBUTES[name] ?? name, Array.isArray(given) ? given.join(" ") : given);
  node.append(...children.map((child) => nodeOf(child, within)));
  return node;
}

// The elements of a text; typeset: null leaves the formulas as they are written.
export function prose(markdown, typeset) {
  // Between two formulas stands text: what `split` returns at the odd places was between dollars.
  return markdown.split(DISPLAY).flatMap((text, at) => {
    if (at % 2) return [formula(text, typeset, true)];
    const paragraphs = text.split(/\n\s*\n/).filter((each) => each.trim());
    return paragraphs.map((each) => el("p", {}, ...inline(each.trim(), typeset)));
  });
}

function inline(text, typeset) {
  const open = [{ node: null, children: [] }];
  const add = (child) => {
    const { children } = open.at(-1);
    const joins = typeof child === "string" && typeof children.at(-1) === "string"; // one text for those who hear the page
    if (joins) children.push(children.pop() + child);
    else children.push(child);
  };
  const say = (words) => add(words.replace(MINUS, "−"));
  const close = () => {
    const { node, children } = open.pop();
    node.append(...children);
    add(node);
  };
  let from = 0;
  for (const found of text.matchAll(INLINE)) {
    const [all, tex, bold, bracket, code] = found;
    if (found.index > from) say(text.slice(from, found.index));
    from = found.index + all.length;
    if (tex) add(formula(tex, typeset, false));
    else if (bold && open.at(-1).node?.localName === "strong") close();
    else if (bold) open.push({ node: el("strong"), children: [] });
    else if (code) add(String.fromCodePoint(Number(code)));
    else if (!bracket) open.push({ node: el("span", { class: "quiet" }), children: [] });
    else if (open.at(-1).node?.localName === "span") close();
    else add(bracket);
  }
  if (from < text.length) say(text.slice(from));
  while (open.length > 1) close();
  return open[0].children;
}

function formula(tex, typeset, isDisplay) {
  return el(
    "span",
    { class: isDisplay ? "display" : "formula" },
    ...(typeset ? typeset(tex.replace(THOUSANDS, "{,}"), isDisplay) : [tex]),
  );
}

// Typed text as Markdown that shows it as it is.
export function escaped(text) {
  return String(text).replace(/[^\p{L}\p{N} ]/gu, (sign) => `&#${sign.codePointAt(0)};`);
}

const IN_TEX = {
  "\\": "\\backslash{}",
  "^": "\\char`\\^{}",
  "~": "\\char`\\~{}",
  "<": "\\textless{}",
  ">": "\\textgreater{}",
  β: "\\(\\beta\\)", // which the letters of a text lack
};

// Typed text for the inside of \text{…} in a formula.
export function latex(text) {
  return String(text).replace(/[{}$%#_&\\^~<>β]/g, (sign) => IN_TEX[sign] ?? `\\${sign}`);
}
