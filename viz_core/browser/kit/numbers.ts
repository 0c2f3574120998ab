// Numbers and texts for readers. `percent` and `number` agree digit by digit with Python's; a test compares the two.

import { type ComponentChild, h } from "preact";
import { textsIn } from "../../web/src/texts";

const RAISED: Record<string, string> = { "-": "⁻", 0: "⁰", 1: "¹", 2: "²", 3: "³", 4: "⁴", 5: "⁵", 6: "⁶", 7: "⁷", 8: "⁸", 9: "⁹" };
const LARGEST_EXPONENT = Math.log(Number.MAX_VALUE);
const LEAST = [0.0995, 0.00995, 0.000995, 0.0000995]; // from the n-th value on, n decimals are shown

// A share in percent: never 0 % unless it is 0, never 100 % unless it is 1 in float32, in which Python's models compute.
export function percent(value: number) {
  if (value === 0 || Math.abs(value - 1) <= 2 ** -25) return `${Math.round(100 * value)} %`;
  let digits = LEAST.findIndex((least) => value >= least);
  if (digits < 0) return `${powerOfTen(100 * value, 1)} %`;
  if (value >= 0.995) digits = [1, 2, 3, 4, 5, 6].find((count) => Number((100 * value).toFixed(count)) < 100) ?? 7;
  return `${(100 * value).toFixed(digits)} %`;
}

// A share in percent, at most four characters, for cells and lists where every number has equal room: 0, <0.1, 9.6, 97, >99, 100.
export function shareInCell(value: number) {
  if (value === 0 || value === 1) return String(100 * value);
  if (value >= 0.995) return ">99";
  if (value < 0.00095) return "<0.1";
  return (100 * value).toFixed(value < 0.0995 ? 1 : 0);
}

// A difference of shares in percentage points, with its sign.
export function points(difference: number, digits: number) {
  const size = Math.abs(100 * difference).toFixed(digits);
  return `${Number(size) === 0 ? "" : difference < 0 ? "−" : "+"}${size}`;
}

export const percentInList = (value: number) => `${shareInCell(value)} %`;

// Four significant digits, three for small numbers; never 0 unless it is 0.
export const number = (value: number) => withDigits(value, 4);

// Three digits, the precision of a number sent as float16.
export const threeDigits = (value: number) => withDigits(value, 3);

function withDigits(value: number, digits: number) {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "NaN" : value > 0 ? "∞" : "-∞";
  const size = Math.abs(value);
  const small = size > 0 && size < 0.1 ? digits - 2 - Math.floor(Math.log10(size)) : 0;
  if (value === 0 || (size >= 10 ** (1 - digits) && size < 100000))
    return grouped(value.toFixed(Math.max(small, digits - String(Math.trunc(size)).length, 0)));
  return powerOfTen(value, 2);
}

function powerOfTen(value: number, digits: number) {
  const [mantissa, exponent] = value.toExponential(digits).split("e");
  return `${mantissa}·10${raised(Number(exponent))}`;
}

export const raised = (power: number) => [...String(power)].map((sign) => RAISED[sign]).join("");

// A positive number of any size, like Python's `amount`: 1,234.5, 0.0123, 3.2·10⁻⁹.
export function amount(value: number) {
  if (value === 0 || (value >= 0.001 && value < 1_000_000)) {
    const [whole = "", rest] = value.toFixed(value >= 100 ? 1 : value >= 1 ? 3 : 4).split(".");
    return `${grouped(whole)}.${rest}`;
  }
  return Number.isFinite(value) ? powerOfTen(value, 1) : number(value);
}

// e^exponent, formatted like `number`, even beyond the range of a float: an edited model may have logits in the billions.
export function eToThe(exponent: number) {
  if (!(exponent >= LARGEST_EXPONENT) || exponent === Infinity) return number(Math.exp(exponent));
  const power = exponent / Math.LN10;
  return `${(10 ** (power % 1)).toFixed(2)}·10${raised(Math.trunc(power))}`;
}

// A number that may have been rounded for transport: if so, only its reliable digits, marked with ≈.
export const numeral = (value: number, exact: boolean) => (exact ? minus(value) : `≈ ${threeDigits(value).replace("-", "−")}`);

// Replaces each "[[name]]" in a text by its value; the result is plain text.
export function fill(template: string, values: Readonly<Record<string, unknown>>) {
  return template.replace(/\[\[(\w+)\]\]/g, (_, name: string) => String(values[name]));
}

// A text of at most so many characters, or its beginning and an ellipsis.
export function beginning(text: string, most: number) {
  const characters = Array.from(text);
  return characters.length > most ? `${characters.slice(0, most).join("")} …` : text;
}

// Joins parts of a sentence with the comma of the page's language.
export const clauses = (parts: readonly string[]) => parts.join(textsIn("joined").clause);

// Like `number`, with the typographic minus sign.
export const minus = (value: number) => number(value).replace("-", "−");

// With at least `least` decimals, and more, up to `most`, while a non-zero number would read as 0.
export function decimals(value: number, least: number, most: number) {
  let digits = least;
  while (value && digits < most && !Number(value.toFixed(digits))) digits += 1;
  return value.toFixed(digits).replace("-", "−");
}

// Like `signed` in Python: more digits where it would read as 0.
export const signed = (value: number, digits = 2) => decimals(value, digits, 6);

// The number at the end of a scale: at most three significant digits.
export const endOfScale = (value: number) => String(Number(value.toPrecision(3))).replace("-", "−");

// With thousands separators, as in 1,024; a number with decimals stays as it is.
export function grouped(count: number | string) {
  return String(count).replace(/^-?\d{4,}$/, (digits) => digits.replace(/\B(?=(\d{3})+$)/g, ","));
}

// Our own Markdown as elements: paragraphs, tables, a heading, **bold**, *italics*, `code`, links, :gray[…] and formulas. Typed text
// comes as character references, so that none of it is read as markup. Formulas are set as on the rest of the page, by Streamlit's own rehype-katex.

const INLINE = /\$((?:\\.|[^$\\])+)\$|(\*\*?)|:gray\[|\[([^\]]+)\]\((https:[^)]+)\)|`([^`]+)`|(\])|&#(\d+);/gs;
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
    return paragraphs.map((words) => (/^\|.*\|/.test(words.trim()) ? table : paragraph)(words.trim(), typeset));
  });
}

// Its second line divides the heads from the rest.
function table(text: string, typeset: Typesetter | null) {
  const [heads = "", , ...lines] = text.split("\n");
  const row = (line: string, name: "th" | "td") => {
    const cells = line.trim().slice(1, -1).split("|");
    return h("tr", null, ...cells.map((cell) => paragraph(cell.trim(), typeset, name)));
  };
  return h("table", null, h("thead", null, row(heads, "th")), h("tbody", null, ...lines.map((line) => row(line, "td"))));
}

type Block = "p" | "h2" | "th" | "td";

function paragraph(text: string, typeset: Typesetter | null, as: Block = "p"): ComponentChild {
  if (text.startsWith("## ")) return paragraph(text.slice(3), typeset, "h2");
  type Open = { name: Block | "strong" | "em" | "span"; inner: ComponentChild[] };
  const whole: Open = { name: as, inner: [] };
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
    const [all, tex, stars, linked, href, literal, bracket, code] = match;
    const emphasis = stars === "**" ? "strong" : "em";
    say(text.slice(from, match.index));
    from = match.index + all.length;
    if (tex) put(formula(tex, typeset, false));
    else if (stars && inmost().name === emphasis) close();
    else if (stars) open.push({ name: emphasis, inner: [] });
    else if (href) put(h("a", { href }, linked));
    else if (literal) put(h("code", null, literal));
    else if (code) put(String.fromCodePoint(Number(code)));
    else if (!bracket) open.push({ name: "span", inner: [] });
    else if (inmost().name === "span") close();
    else put(bracket);
  }
  say(text.slice(from));
  while (open.length > 1) close();
  return h(as, null, ...whole.inner);
}

function formula(tex: string, typeset: Typesetter | null, isDisplay: boolean): ComponentChild {
  const set = typeset ? typeset(tex.replace(THOUSANDS, "{,}"), isDisplay) : [tex];
  return h("span", { class: isDisplay ? "display" : "formula" }, ...set);
}

// A text cut after `most` characters, as `shortened` in Python.
export function shortened(text: string, most: number) {
  const signs = [...text];
  return signs.length <= most ? text : `${signs.slice(0, most).join("")} …`;
}

// Markdown that shows typed text literally.
export const escaped = (text: string) => text.replace(/[^\p{L}\p{N} ]/gu, (sign) => `&#${sign.codePointAt(0)};`);

const IN_TEX: Record<string, string> = {
  "\\": "\\backslash{}",
  "^": "\\char`\\^{}",
  "~": "\\char`\\~{}",
  "<": "\\textless{}",
  ">": "\\textgreater{}",
  // missing in KaTeX's fonts
  β: "\\(\\beta\\)",
  "▁": "\\rule[-.1em]{.5em}{.08em}",
};

// Typed text for \text{…} in a formula.
export const latex = (text: string) => text.replace(/[{}$%#_&\\^~<>β▁]/g, (sign) => IN_TEX[sign] ?? `\\${sign}`);

// A number in a formula, in brackets if negative.
export const bracketed = (number: string) => (number.startsWith("-") ? `(${number})` : number);

// A sum in a formula; most: terms that are written out.
export function sumOf(terms: string[], most = terms.length) {
  return [...terms.slice(0, most), ...(terms.length > most ? ["\\cdots"] : [])].join(" + ") || "0";
}
