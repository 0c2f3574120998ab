// Instructions in a text, such as "Click a cell": they mean nothing in a saved picture or to an audience.

import type { View } from "../../web/src/view";

const ENGLISH =
  /(?<=^|[.!?] )(?:Click|Press|Select|Tap|Point at) (?:a|an|any|it|its|the|on|one)\b[^.!?]*(?:[.!?]|$)|[^.!?]* is a link: [^.!?]*(?:[.!?]|$)|: (?:click|press|select) [^.!?]*$/g;
const CHINESE = /[^。！？]*(?:点击|单击|点按|点选|指向)[^。！？]*(?:[。！？]|$)/g;

// [start, end] of each sentence that is an instruction. source: the reader's own sentence, which is never taken for one.
export function instructionsIn(words: string, source = "") {
  if (words && source.includes(words.trim())) return [];
  return [ENGLISH, CHINESE].flatMap((kind) =>
    [...words.matchAll(kind)].map(({ index, 0: sentence }) => [index, index + sentence.length] as const),
  );
}

export function withoutInstructions(words: string, source = "") {
  return instructionsIn(words, source).reduceRight((left, [from, to]) => left.slice(0, from) + left.slice(to), words);
}

// A part's text for the current mode: in lecture mode without instructions, since the audience cannot click.
export const forAudience = (words: string, { lecture }: Pick<View, "lecture">) => (lecture ? withoutInstructions(words) : words);
