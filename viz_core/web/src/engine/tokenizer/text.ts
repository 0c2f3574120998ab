// Texts as Python sees them: by code point, in composed form (viz_core/composed.py), with its own idea of a blank.

/** What Python's str.isspace is true of, as the inside of a character class; JavaScript's \s differs in seven characters. */
export const BLANKS = "\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";

const BLANK = new RegExp(`^[${BLANKS}]*$`, "u");

export const isBlank = (text: string) => text !== "" && BLANK.test(text);

const ENDS = new RegExp(`^[${BLANKS}]+|[${BLANKS}]+$`, "gu");

/** Without the blanks at its ends, as Python's str.strip. */
export const stripped = (text: string) => text.replace(ENDS, "");

const UNSEEN = new RegExp(
  `^[${BLANKS}\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufff8\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}]*$`,
  "u",
);

/** Whether nothing of a text is visible: it is empty, or all blanks and zero-width characters. */
export const isUnseen = (text: string) => UNSEEN.test(text);

/** The characters of a text. All places in texts count these, as in Python. */
export const signsOf = (text: string) => Array.from(text);

/** A number in hexadecimal, of two digits or more. */
export const hex = (number: number) => number.toString(16).toUpperCase().padStart(2, "0");

/** A text with every character that prints nothing as its code. */
export const visible = (text: string) =>
  text.replace(/[\p{C}\p{Z}]/gu, (sign) => (sign === " " ? sign : `⟨${hex(sign.codePointAt(0) ?? 0)}⟩`));

/** Whether a character belongs to the one before it, as an accent does. */
export const isMark = (sign: string) => /^\p{M}/u.test(sign);

/** A place in a text: [start, end). */
export type Place = readonly [number, number];

/** A text in composed form (NFC), and where its characters stand in the original. */
export type Composed = { text: string; signs: readonly string[]; place: (start: number, end: number) => Place };

export function composed(text: string): Composed {
  const original = signsOf(text);
  if (text.normalize("NFC") === text) return { text, signs: original, place: (start, end) => [start, end] };
  const signs: string[] = [];
  const places: Place[] = [];
  for (const [start, end] of runs(original)) {
    const part = original.slice(start, end).join("");
    const made = signsOf(part.normalize("NFC"));
    const same = made.join("") === part;
    signs.push(...made);
    places.push(...made.map((_, at): Place => (same ? [start + at, start + at + 1] : [start, end])));
  }
  const place = (start: number, end: number): Place => {
    const first = places[start]?.[0] ?? original.length;
    return start === end ? [first, first] : [first, places[end - 1]?.[1] ?? original.length];
  };
  return { text: signs.join(""), signs, place };
}

// Start and end of each run that composes together: a character and its marks, or the letters of a Hangul syllable.
function runs(signs: readonly string[]) {
  const found: Place[] = [];
  let start = 0;
  for (let i = 1; i <= signs.length; i += 1) {
    const sign = signs[i];
    if (sign !== undefined) {
      if (combining(sign)) continue;
      const before = signsOf(signs.slice(start, i).join("").normalize("NFC")).at(-1) ?? "";
      if (signsOf((before + sign).normalize("NFC")).length <= 1 && !combining(signs[i - 1] ?? "")) continue;
    }
    found.push([start, i]);
    start = i;
  }
  return found;
}

// Whether Unicode's combining class is not 0: whether the sign trades places with U+0345, which has the greatest class.
function combining(sign: string) {
  if (/^[\u0f73\u0f75\u0f81]$/u.test(sign)) return false; // they decompose into such signs
  return sign === "\u0345" || `\u0345${sign}`.normalize("NFD") !== `\u0345${sign.normalize("NFD")}`;
}
