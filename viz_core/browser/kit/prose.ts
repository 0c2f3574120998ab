// Markdown of our own as elements: paragraphs, **bold**, :gray[…] and formulas. Typed text comes as character references, so that
// no sign of it is read as markup. The formulas are set as on the rest of the page, by Streamlit's own rehype-katex.

import { el } from "./dom";

const INLINE = /\$((?:\\.|[^$\\])+)\$|(\*\*)|:gray\[|(\])|&#(\d+);/gs;
const DISPLAY = /\$\$([\s\S]+?)\$\$/g;
const THOUSANDS = /(?<=\d),(?=\d{3})/g; // TeX sets a space behind a bare comma

const MINUS = /(?<![\p{L}\p{N}])-(?=\d)/gu; // of a number; what was typed comes as character references
const NAMESPACES: Record<string, string> = {
  svg: "http://www.w3.org/2000/svg",
  math: "http://www.w3.org/1998/Math/MathML",
};
const ATTRIBUTES: Record<string, string> = { className: "class", ariaHidden: "aria-hidden" };

/** Sets a formula: the nodes of it. */
export type Typesetter = (tex: string, isDisplay: boolean) => Node[];

// A node of a tree as rehype-katex makes it (hast).
interface Hast {
  type: string;
  value?: string;
  tagName?: string;
  properties?: Record<string, unknown>;
  children?: Hast[];
}

let loading: Promise<Typesetter | null> | null = null; // once for all pages

// Resolves to null where the server has nothing that sets formulas.
export function loadTypesetter(address: string) {
  loading ??= address
    ? import(new URL(address, location.origin).href).then(
        ({ default: plugin }) => typesetterOf(plugin({ strict: false })),
        () => null,
      )
    : Promise.resolve(null);
  return loading;
}

// rehype-katex replaces an element of a tree (hast) whose class says that it holds a formula.
function typesetterOf(transform: (tree: Hast, file: object) => void): Typesetter {
  return (tex, isDisplay) => {
    const properties = { className: [isDisplay ? "math-display" : "math-inline"] };
    const formula: Hast = { type: "element", tagName: "span", properties, children: [{ type: "text", value: tex }] };
    const tree = { type: "root", children: [formula] };
    transform(tree, { message: () => {} }); // what it cannot read it shows as it is written
    return tree.children.map((child) => nodeOf(child, null));
  };
}

function nodeOf({ type, value, tagName = "", properties = {}, children = [] }: Hast, namespace: string | null): Node {
  if (type !== "element") return document.createTextNode(value ?? "");
  const within = NAMESPACES[tagName] ?? namespace;
  const node = within ? document.createElementNS(within, tagName) : document.createElement(tagName);
  for (const [name, given] of Object.entries(properties))
    if (name !== "xmlns") node.setAttribute(ATTRIBUTES[name] ?? name, [given].flat().join(" "));
  node.append(...children.map((child) => nodeOf(child, within)));
  return node;
}

// The elements of a text; typeset: null leaves the formulas as they are written.
export function prose(markdown: string, typeset: Typesetter | null): HTMLElement[] {
  // Between two formulas stands text: what `split` returns at the odd places was between dollars.
  return markdown.split(DISPLAY).flatMap((text, at) => {
    if (at % 2) return [formula(text, typeset, true)];
    const paragraphs = text.split(/\n\s*\n/).filter((each) => each.trim());
    return paragraphs.map((each) => paragraph(each.trim(), typeset));
  });
}

function paragraph(text: string, typeset: Typesetter | null) {
  const whole: HTMLElement = el("p");
  let open = whole; // the innermost element that is not closed yet
  const within = (element: HTMLElement) => {
    open.append(element);
    open = element;
  };
  const close = () => {
    open = open.parentElement ?? whole;
  };
  const say = (words: string) => open.append(words.replace(MINUS, "−"));
  let from = 0;
  for (const found of text.matchAll(INLINE)) {
    const [all, tex, bold, bracket, code] = found;
    say(text.slice(from, found.index));
    from = found.index + all.length;
    if (tex) open.append(formula(tex, typeset, false));
    else if (bold && open.localName === "strong") close();
    else if (bold) within(el("strong"));
    else if (code) open.append(String.fromCodePoint(Number(code)));
    else if (!bracket) within(el("span", { class: "quiet" }));
    else if (open.localName === "span") close();
    else open.append(bracket);
  }
  say(text.slice(from));
  whole.normalize(); // one text for those who hear the page
  return whole;
}

function formula(tex: string, typeset: Typesetter | null, isDisplay: boolean): HTMLElement {
  const nodes = typeset ? typeset(tex.replace(THOUSANDS, "{,}"), isDisplay) : [tex];
  return el("span", { class: isDisplay ? "display" : "formula" }, ...nodes);
}

// Typed text as Markdown that shows it as it is.
export function escaped(text: string) {
  return text.replace(/[^\p{L}\p{N} ]/gu, (sign) => `&#${sign.codePointAt(0)};`);
}

const IN_TEX: Record<string, string> = {
  "\\": "\\backslash{}",
  "^": "\\char`\\^{}",
  "~": "\\char`\\~{}",
  "<": "\\textless{}",
  ">": "\\textgreater{}",
  β: "\\(\\beta\\)", // which the letters of a text lack
};

// Typed text for the inside of \text{…} in a formula.
export function latex(text: string) {
  return text.replace(/[{}$%#_&\\^~<>β]/g, (sign) => IN_TEX[sign] ?? `\\${sign}`);
}

// A number inside a formula: with a sign it stands in brackets.
export function bracketed(number: string) {
  return number.startsWith("-") ? `(${number})` : number;
}

// A sum in a formula, of which so many terms are written out.
export function sumOf(terms: string[], most = terms.length) {
  return [...terms.slice(0, most), ...(terms.length > most ? ["\\cdots"] : [])].join(" + ") || "0";
}
