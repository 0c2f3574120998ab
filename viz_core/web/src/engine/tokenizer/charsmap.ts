// Normalization of text as in SentencePiece (Kudo & Richardson 2018, §3.2), as in viz_core/tokenizer/charsmap.py.

import { signsOf } from "./text";

const [LEAF, LABEL, VALUE] = [1 << 8, 0x800000ff, 0x7fffffff]; // bits of one unit of the double array
const UTF8 = new TextEncoder();

/** A character of the normalized text, and its place in the original. */
export type Sign = { sign: string; start: number; end: number };

export const textOf = (signs: readonly Sign[]) => signs.map(({ sign }) => sign).join("");

/** Rules of one vocabulary, compiled: a trie of the replaced texts as a double array, and the replacements. */
export class Charsmap {
  private readonly units: Uint32Array;
  private readonly replacements: Uint8Array;

  constructor(compiled: Uint8Array) {
    const bytes = new Uint8Array(compiled);
    const size = bytes.length > 4 ? new DataView(bytes.buffer).getUint32(0, true) : 0;
    this.units = new Uint32Array(bytes.slice(4, 4 + size).buffer);
    this.replacements = bytes.slice(4 + size);
  }

  /** The text by character, replaced where a rule applies: of several, the longest. */
  replaced(text: string): Sign[] {
    const signs = signsOf(text);
    const raw = UTF8.encode(text);
    const result: Sign[] = [];
    for (let [byte, at] = [0, 0]; at < signs.length; ) {
      const sign = signs[at] as string;
      const { length, replacement } = this.longest(raw, byte) ?? { length: UTF8.encode(sign).length, replacement: sign };
      const count = signsOf(decoded(raw.subarray(byte, byte + length))).length;
      for (const each of signsOf(replacement)) result.push({ sign: each, start: at, end: at + count });
      byte += length;
      at += count;
    }
    return result;
  }

  /** The first or the longest rule that applies to these bytes from `start`. */
  longest(raw: Uint8Array, start: number, first = false) {
    const { units } = this;
    if (!units.length) return null;
    let rule: { length: number; at: number } | null = null;
    let node = offset(units[0] as number);
    for (let index = start; index < raw.length && !(first && rule); index += 1) {
      const byte = raw[index] as number;
      node ^= byte;
      const unit = units[node];
      if (unit === undefined || (unit & LABEL) >>> 0 !== byte) break;
      node ^= offset(unit);
      if (unit & LEAF && node < units.length) rule = { length: index + 1 - start, at: (units[node] as number) & VALUE };
    }
    if (!rule) return null;
    const end = this.replacements.indexOf(0, rule.at);
    return { length: rule.length, replacement: decoded(this.replacements.subarray(rule.at, end)) };
  }
}

const decoded = (bytes: Uint8Array) => new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
const offset = (unit: number) => (unit >>> 10) << ((unit & (1 << 9)) >> 6);
