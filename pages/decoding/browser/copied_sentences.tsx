// The output without copying, and with it: words that differ are marked.

import { part } from "../../../viz_core/web/src/ui/part";
import { signed } from "../../../viz_core/browser/kit/numbers";
import { Sentence, Table } from "../../../viz_core/web/src/ui/table";
import { textsIn } from "../../../viz_core/web/src/texts";
import { readCopied } from "./copied_tokens";

const texts = textsIn("decoding.copied_sentences");

type Copied = ReturnType<typeof readCopied>;

function CopiedSentences({ sentences: [plain = [], copying = []], total, above, each, say }: Copied) {
  const copied = { count: each.filter(({ share }) => share > 0.5).length, tokens: each.length };
  const all = each.reduce((sum, { p }) => sum + Math.log(p), 0);
  return (
    <Table
      label={texts.region}
      columns={[texts.name, texts.sentence, texts.log, texts.share]}
      lines={[
        [above ? texts.plain_above : texts.plain, <Sentence of={plain} />, signed(total), "–"],
        [texts.copying, <Sentence of={copying} />, signed(all), say("of_tokens", copied)],
      ]}
      highlighted={1}
      kinds={["word", "word"]}
    />
  );
}

export const mountCopiedSentences = part(CopiedSentences, readCopied);
