// Markdown of our own as elements: paragraphs, **bold**, :gray[…] and formulas. Typed text comes as character references, so that
// no sign of it is read as markup. The formulas are set as on the rest of the page, by Streamlit's own rehype-katex.

import { type ComponentChild, h } from "preact";

const INLINE = /\$((?:\\.|[^$\\])+)\$|(\*\*)|:gray\[|(\])|&#(\d+);/gs;
const DISPLAY = /\$\$([\s\S]+?)\$\$/g;
const THOUSANDS = /(?<=\d),(?=\d{3})/g; // TeX sets a space behind a bare comma

const MINUS = /(?<![\p{L}\p{N}])-(?=\d)/gu; // of a number; what was typed comes as character references
const ATTRIBUTES: Record<string, string> = { className: "class", ariaHidden: "aria-hidden" };

/** Sets a formula. */
export type Typesetter = (tex: string, isDisplay: boolean) => ComponentChild[];

// A node of a tree as rehype-katex makes it (hast).
type Hast = { type: string; value?: string; tagName?: string; properties?: Record<string, unknown>; children?: Hast[] };

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
    return tree.children.map(elementOf);
  };
}

function elementOf({ type, value, tagName = "", properties = {}, children = [] }: Hast): ComponentChild {
  if (type !== "element") return value;
  const named = Object.entries(properties).filter(([name]) => name !== "xmlns");
  const attributes = named.map(([name, given]) => [ATTRIBUTES[name] ?? name, [given].flat().join(" ")]);
  return h(tagName, Object.fromEntries(attributes), ...children.map(elementOf));
}

// The elements of a text; typeset: null leaves the formulas as they are written.
export function prose(markdown: string, typeset: Typesetter | null) {
  // Between two formulas stands text: what `split` returns at the odd places was between dollars.
  return markdown.split(DISPLAY).flatMap((text, at) => {
    if (at % 2) return [formula(text, typeset, true)];
    const paragraphs = text.split(/\n\s*\n/).filter((each) => each.trim());
    return paragraphs.map((each) => paragraph(each.trim(), typeset));
  });
}

function paragraph(text: string, typeset: Typesetter | null): ComponentChild {
  type Open = { name: "p" | "strong" | "span"; inner: ComponentChild[] };
  const whole: Open = { name: "p", inner: [] };
  const open = [whole]; // the elements that are not closed yet, the innermost last
  const inmost = () => open.at(-1) ?? whole;
  const put = (child: ComponentChild) => {
    const { inner } = inmost();
    const last = inner.at(-1);
    if (typeof child === "string" && typeof last === "string") inner[inner.length - 1] = last + child;
    else if (child) inner.push(child); // one text for those who hear the page
  };
  const close = () => {
    const { name, inner } = open.pop() ?? whole;
    put(h(name, name === "span" ? { class: "quiet" } : null, ...inner));
  };
  const say = (words: string) => put(words.replace(MINUS, "−"));
  let from = 0;
  for (const found of text.matchAll(INLINE)) {
    const [all, tex, bold, bracket, code] = found;
    say(text.slice(from, found.index));
    from = found.index + all.length;
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

// Typed text as Markdown that shows it as it is.
export const escaped = (text: string) => text.replace(/[^\p{L}\p{N} ]/gu, (sign) => `&#${sign.codePointAt(0)};`);

const IN_TEX: Record<string, string> = {
  "\\": "\\backslash{}",
  "^": "\\char`\\^{}",
  "~": "\\char`\\~{}",
  "<": "\\textless{}",
  ">": "\\textgreater{}",
  β: "\\(\\beta\\)", // which the letters of a text lack
};

// Typed text for the inside of \text{…} in a formula.
export const latex = (text: string) => text.replace(/[{}$%#_&\\^~<>β]/g, (sign) => IN_TEX[sign] ?? `\\${sign}`);

// A number inside a formula: with a sign it stands in brackets.
export const bracketed = (number: string) => (number.startsWith("-") ? `(${number})` : number);

// A sum in a formula, of which so many terms are written out.
export function sumOf(terms: string[], most = terms.length) {
  return [...terms.slice(0, most), ...(terms.length > most ? ["\\cdots"] : [])].join(" + ") || "0";
}
