// One query's weights in the decoder's masked attention, a row for each way of masking; last, each key's weight if all are masked.

import { percent } from "../../../viz_core/browser/kit/numbers";
import { entryAt, nth, readPayload, sliceOf } from "../../../viz_core/web/src/payload";
import { textsIn } from "../../../viz_core/web/src/texts";
import { part, useView } from "../../../viz_core/web/src/ui/part";
import { Table } from "../../../viz_core/web/src/ui/table";
import { range } from "../../../viz_core/web/src/marks/scale";

const KEYS = 5; // shown of a row

type About = { ways: string[]; of: (number | null)[]; target: string[] };
type Masked = ReturnType<typeof readMasked>;

/** payload: from pages/code/variants.py. */
export function readMasked(payload: Uint8Array) {
  const { about, tensors, say } = readPayload<About, "weights" | "all_masked">(payload, textsIn("code.mask_value_table"));
  return { ...about, tensors, say };
}

/** With one digit more than `percent` has, so that quotients of two shares are right. */
function tenths(share: number) {
  if (Number.isNaN(share)) return "NaN";
  return share >= 0.0995 && share < 0.9995 ? `${(100 * share).toFixed(1)} %` : percent(share);
}

/** The headings, the rows and the note of a step, layer and head. */
export function maskedRows({ ways, of, target, tensors, say }: Masked, view: { step: number; layer: number; head: number }) {
  const [, layers = 1, heads = 1] = tensors.weights.shape;
  const [step, layer, head] = [
    Math.min(view.step, target.length - 1),
    Math.min(view.layer, layers - 1),
    Math.min(view.head, heads - 1),
  ];
  const first = Math.max(0, Math.min(step - KEYS + 2, target.length - KEYS));
  const keys = range(Math.min(KEYS, target.length)).map((at) => first + at);
  const rows = ways.map((name, way) => {
    const at = of[way] ?? null;
    if (at === null) return [name, ...[...keys, 0].map(() => say("refused"))];
    const weights = sliceOf(tensors.weights, at, layer, head, step);
    return [name, ...keys.map((key) => tenths(nth(weights, key))), tenths(nth(tensors.all_masked.data, way))];
  });
  const query = say("query", { query: entryAt(target, step), layer: layer + 1, head: head + 1 });
  const note = say("keys_shown", { first: first + 1, last: first + keys.length, count: target.length });
  return {
    columns: [query, ...keys.map((key) => nth(target, key)), say("all_masked")],
    rows,
    note: keys.length < target.length ? note : "",
  };
}

function MaskValue(masked: Masked) {
  const { columns, rows, note } = maskedRows(masked, useView().view);
  return (
    <>
      <Table label={masked.say("region")} columns={columns} lines={rows} />
      <p hidden={!note}>{note}</p>
    </>
  );
}

export const mountMaskValue = part(MaskValue, readMasked);
