// Our own Markdown as elements: paragraphs, **bold**, :gray[…] and formulas. Typed text comes as character references, so that
// none of it is read as markup. Formulas are set as on the rest of the page, by Streamlit's own rehype-katex.

import { type ComponentChild, h } from "preact";

const INLINE = /\$((?:\\.|[^$\\])+)\$|(\*\*)|:gray\[|(\])|&#(\d+);/gs;
const DISPLAY = /\$\$([\s\S]+?)\$\$/g;
const THOUSANDS = /(?<=\d),(?=\d{3})/g; // TeX sets a space behind a bare comma

const MINUS = /(?<![\p{L}\p{N}])-(?=\d)/gu; // of a number; never in typed text, which comes as character references
const ATTRIBUTES: Record<string, string> = { className: "class", ariaHidden: "aria-hidden" };

/** Sets a formula. */
export type Typesetter = (tex: string, isDisplay: boolean) => ComponentChild[];

// A node of rehype-katex's tree (hast).
type Hast = { type: string; value?: string; tagName?: string; properties?: Record<string, unknown>; children?: Hast[] };

let loading: Promise<Typesetter | null> | null = null; // once for all pages

// Resolves to null if the server has no typesetter.
export function loadTypesetter(address: string) {
  loading ??= address
    ? import(new URL(address, location.origin).href).then(
        ({ default: plugin }) => typesetterOf(plugin({ strict: false })),
        () => null,
      )
    : Promise.resolve(null);
  return loading;
}

// rehype-katex replaces the elements whose class marks a formula.
function typesetterOf(transform: (tree: Hast, file: object) => void): Typesetter {
  return (tex, isDisplay) => {
    const properties = { className: [isDisplay ? "math-display" : "math-inline"] };
    const formula: Hast = { type: "element", tagName: "span", properties, children: [{ type: "text", value: tex }] };
    const tree = { type: "root", children: [formula] };
    transform(tree, { message: () => {} }); // shows an unreadable formula as written
    return tree.children.map(elementOf);
  };
}

function elementOf({ type, value, tagName = "", properties = {}, children = [] }: Hast): ComponentChild {
  if (type !== "element") return value;
  const named = Object.entries(properties).filter(([name]) => name !== "xmlns");
  const attributes = named.map(([name, given]) => [ATTRIBUTES[name] ?? name, [given].flat().join(" ")]);
  return h(tagName, Object.fromEntries(attributes), ...children.map(elementOf));
}

// The elements of a text; typeset: null leaves formulas as written.
export function prose(markdown: string, typeset: Typesetter | null) {
  // `split` returns text and formulas in turn, the formulas at odd places.
  return markdown.split(DISPLAY).flatMap((text, at) => {
    if (at % 2) return [formula(text, typeset, true)];
    const paragraphs = text.split(/\n\s*\n/).filter((words) => words.trim());
    return paragraphs.map((words) => paragraph(words.trim(), typeset));
  });
}

function paragraph(text: string, typeset: Typesetter | null): ComponentChild {
  type Open = { name: "p" | "strong" | "span"; inner: ComponentChild[] };
  const whole: Open = { name: "p", inner: [] };
  const open = [whole]; // elements not yet closed, the innermost last
  const inmost = () => open.at(-1) ?? whole;
  const put = (child: ComponentChild) => {
    const { inner } = inmost();
    const last = inner.at(-1);
    if (typeof child === "string" && typeof last === "string") inner[inner.length - 1] = last + child;
    else if (child) inner.push(child); // adjacent strings as one text, for screen readers
  };
  const close = () => {
    const { name, inner } = open.pop() ?? whole;
    put(h(name, name === "span" ? { class: "quiet" } : null, ...inner));
  };
  const say = (words: string) => put(words.replace(MINUS, "−"));
  let from = 0;
  for (const match of text.matchAll(INLINE)) {
    const [all, tex, bold, bracket, code] = match;
    say(text.slice(from, match.index));
    from = match.index + all.length;
    if (tex) put(formula(tex, typeset, false));
    else if (bold && inmost().name === "strong") close();
    else if (bold) open.push({ name: "strong", inner: [] });
    else if (code) put(String.fromCodePoint(Number(code)));
    else if (!bracket) open.push({ name: "span", inner: [] });
    else if (inmost().name === "span") close();
    else put(bracket);
  }
  say(text.slice(from));
  while (open.length > 1) close();
  return h("p", null, ...whole.inner);
}

function formula(tex: string, typeset: Typesetter | null, isDisplay: boolean): ComponentChild {
  const set = typeset ? typeset(tex.replace(THOUSANDS, "{,}"), isDisplay) : [tex];
  return h("span", { class: isDisplay ? "display" : "formula" }, ...set);
}

// Markdown that shows typed text literally.
export const escaped = (text: string) => text.replace(/[^\p{L}\p{N} ]/gu, (sign) => `&#${sign.codePointAt(0)};`);

const IN_TEX: Record<string, string> = {
  "\\": "\\backslash{}",
  "^": "\\char`\\^{}",
  "~": "\\char`\\~{}",
  "<": "\\textless{}",
  ">": "\\textgreater{}",
  β: "\\(\\beta\\)", // missing in KaTeX's text font
};

// Typed text for \text{…} in a formula.
export const latex = (text: string) => text.replace(/[{}$%#_&\\^~<>β]/g, (sign) => IN_TEX[sign] ?? `\\${sign}`);

// A number in a formula, in brackets if negative.
export const bracketed = (number: string) => (number.startsWith("-") ? `(${number})` : number);

// A sum in a formula; most: terms that are written out.
export function sumOf(terms: string[], most = terms.length) {
  return [...terms.slice(0, most), ...(terms.length > most ? ["\\cdots"] : [])].join(" + ") || "0";
}
