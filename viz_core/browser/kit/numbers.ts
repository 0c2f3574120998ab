// Number formatting for readers. `percent` and `number` agree digit by digit with Python's; a test compares the two.

const RAISED: Record<string, string> = { "-": "⁻", 0: "⁰", 1: "¹", 2: "²", 3: "³", 4: "⁴", 5: "⁵", 6: "⁶", 7: "⁷", 8: "⁸", 9: "⁹" };
const LARGEST_EXPONENT = Math.log(Number.MAX_VALUE);
const LEAST = [0.0995, 0.00995, 0.000995, 0.0000995]; // from the n-th value on, n decimals are shown

// A share in percent: never 0 % unless it is 0, never 100 % unless it is 1.
export function percent(value: number) {
  if (value === 0 || value === 1) return `${100 * value} %`;
  let digits = LEAST.findIndex((least) => value >= least);
  if (digits < 0) return `${powerOfTen(100 * value, 1)} %`;
  if (value >= 0.995) digits = [1, 2, 3, 4, 5, 6, 7].find((count) => Number((100 * value).toFixed(count)) < 100) ?? 8;
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

const raised = (power: number) => [...String(power)].map((sign) => RAISED[sign]).join("");

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

// Joins parts of a sentence with the comma of the page's language.
export const clauses = (parts: readonly string[]) => parts.join(document.documentElement.dataset.comma ?? ", ");

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
