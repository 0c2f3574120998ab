// What a text tells a reader to do at the screen, which means nothing in a picture or to an audience.

import type { View } from "../../web/src/view";

const ENGLISH =
  /(?<=^|[.!?] )(?:Click|Press|Select|Tap|Point at) (?:a|an|any|it|its|the|on|one)\b[^.!?]*(?:[.!?]|$)|[^.!?]* is a link: [^.!?]*(?:[.!?]|$)|: (?:click|press|select) [^.!?]*$/g;
const CHINESE = /[^。！？]*(?:点击|单击|点按|点选|指向)[^。！？]*(?:[。！？]|$)/g;

// The places of all such sentences: [start, end] of each. source: the sentence that was typed, which is none.
export function instructionsIn(words: string, source = "") {
  if (words && source.includes(words.trim())) return [];
  return [ENGLISH, CHINESE].flatMap((kind) =>
    [...words.matchAll(kind)].map(({ index, 0: found }) => [index, index + found.length] as const),
  );
}

// Words without them.
export function withoutInstructions(words: string, source = "") {
  return instructionsIn(words, source).reduceRight((left, [from, to]) => left.slice(0, from) + left.slice(to), words);
}

// Words of a part as they stand in lecture mode, where nobody who sees them can click, and elsewhere.
export const forAudience = (words: string, { lecture }: Pick<View, "lecture">) => (lecture ? withoutInstructions(words) : words);
