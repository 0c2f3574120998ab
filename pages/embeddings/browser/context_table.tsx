// The words most similar to the focused token: a column for each place of the encoder, the nearest on top. From the figure's numbers.

import { signed } from "../../../viz_core/browser/kit/numbers";
import { range } from "../../../viz_core/web/src/marks/axis";
import { nth, sliceOf } from "../../../viz_core/web/src/payload";
import { part, useView } from "../../../viz_core/web/src/ui/part";
import { Table } from "../../../viz_core/web/src/ui/table";
import { type Contexts, contextAt, readContexts } from "./in_context";

function ContextTable(contexts: Contexts) {
  const { view } = useView();
  if (view.lecture) return null;
  const { words, tensors, places, place, at, say } = contextAt(contexts, view);
  const [, , most = 0] = tensors.near.shape;
  const cell = (rank: number, column: number) => {
    const [index, cosine] = [tensors.near, tensors.near_cosines].map((each) => nth(sliceOf(each, at, column), rank));
    return index === undefined || index < 0 ? "" : `${words[index]}  ${signed(cosine ?? Number.NaN)}`;
  };
  const lines = range(most).map((rank) => [String(rank + 1), ...places.map((_, column) => cell(rank, column))]);
  const kinds = ["", ...places.map(() => "word")];
  return <Table label={say("table")} columns={[say("rank"), ...places]} lines={lines} column={place + 1} kinds={kinds} />;
}

export const mountContextTable = part(ContextTable, readContexts);
