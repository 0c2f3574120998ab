// The two sentences of a batch, one per line, the shorter one padded.

import { part, useSideways } from "../../../viz_core/web/src/ui/part";
import { range } from "../../../viz_core/web/src/marks/scale";
import { readBatch } from "./batch_masks";

const BatchRows = ({ sentences, lengths, row, say }: ReturnType<typeof readBatch>) => (
  <div class="batch">
    {range(sentences.length).map((at) => (
      <Row
        key={at}
        name={say(at ? "second" : "first")}
        tokens={sentences[at] ?? []}
        length={lengths[at] ?? 0}
        isBold={at === row}
      />
    ))}
  </div>
);

function Row({ name, tokens, length, isBold }: { name: string; tokens: string[]; length: number; isBold: boolean }) {
  const scroller = useSideways<HTMLDivElement>();
  return (
    <>
      <span class={isBold ? "name highlighted" : "name"}>{name}</span>
      <div class="scroll" role="group" aria-label={name} tabIndex={0} ref={scroller}>
        <div class="row">
          {tokens.map((token, at) => (
            <span key={at} class={at < length ? undefined : "pad"} children={token} />
          ))}
        </div>
      </div>
    </>
  );
}

export const mountBatchRows = part(BatchRows, readBatch);
