// Numbers for reading: `percent` and `number` write them digit by digit as the Python side does; a test compares the two.

const RAISED: Record<string, string> = { "-": "⁻", 0: "⁰", 1: "¹", 2: "²", 3: "³", 4: "⁴", 5: "⁵", 6: "⁶", 7: "⁷", 8: "⁸", 9: "⁹" };
const LARGEST_EXPONENT = Math.log(Number.MAX_VALUE);
const LEAST = [0.0995, 0.00995, 0.000995, 0.0000995]; // from the n-th on, n digits behind the point

// A share: never 0 % when it is not 0, never 100 % when it is not 1.
export function percent(value: number) {
  if (value === 0 || value === 1) return `${100 * value} %`;
  let digits = LEAST.findIndex((least) => value >= least);
  if (digits < 0) return `${powerOfTen(100 * value, 1)} %`;
  if (value >= 0.995) digits = [1, 2, 3, 4, 5, 6, 7].find((count) => Number((100 * value).toFixed(count)) < 100) ?? 8;
  return `${(100 * value).toFixed(digits)} %`;
}

// A share in %, in at most four signs, for cells and lists where all numbers have equal room: 0, <0.1, 9.6, 97, >99, 100.
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

// Four digits, of a small number three that count; never 0 when it is not 0.
export const number = (value: number) => withDigits(value, 4);

// One less: what is left of a number that travelled as float16.
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

// As `amount` on the Python side: a positive number of any size, 1,234.5, 0.0123, 3.2·10⁻⁹.
export function amount(value: number) {
  if (value === 0 || (value >= 0.001 && value < 1_000_000)) {
    const [whole = "", rest] = value.toFixed(value >= 100 ? 1 : value >= 1 ? 3 : 4).split(".");
    return `${grouped(whole)}.${rest}`;
  }
  return Number.isFinite(value) ? powerOfTen(value, 1) : number(value);
}

// e^exponent as `number` writes it, also beyond the range of a number: an edited model may have logits in the billions.
export function eToThe(exponent: number) {
  if (!(exponent >= LARGEST_EXPONENT) || exponent === Infinity) return number(Math.exp(exponent));
  const power = exponent / Math.LN10;
  return `${(10 ** (power % 1)).toFixed(2)}·10${raised(Math.trunc(power))}`;
}

// A number that may have travelled rounded: then the digits that are left of it.
export const numeral = (value: number, exact: boolean) => (exact ? minus(value) : `≈ ${threeDigits(value).replace("-", "−")}`);

// "[[name]]" in a text becomes the value; the result is plain text.
export function fill(template: string, values: Readonly<Record<string, unknown>>) {
  return template.replace(/\[\[(\w+)\]\]/g, (_, name: string) => String(values[name]));
}

// Parts of a sentence, with the comma of the page's language.
export const clauses = (parts: readonly string[]) => parts.join(document.documentElement.dataset.comma ?? ", ");

// As `number`, with the typographic minus sign.
export const minus = (value: number) => number(value).replace("-", "−");

// With so many decimals, and more (at most so many) until a number that is not 0 does not read as 0.
export function decimals(value: number, least: number, most: number) {
  let digits = least;
  while (value && digits < most && !Number(value.toFixed(digits))) digits += 1;
  return value.toFixed(digits).replace("-", "−");
}

// As `signed` on the Python side: with more digits where it would seem to be 0.
export const signed = (value: number, digits = 2) => decimals(value, digits, 6);

// The end of a scale: three digits that count, at most.
export const endOfScale = (value: number) => String(Number(value.toPrecision(3))).replace("-", "−");

// 1,024; a number with a point stays as it is.
export function grouped(count: number | string) {
  return String(count).replace(/^-?\d{4,}$/, (digits) => digits.replace(/\B(?=(\d{3})+$)/g, ","));
}
