// The measures of the head on display, beside those of equal weights; that of its role is highlighted.

import { percent } from "../../../viz_core/browser/kit/numbers";
import { part, useView } from "../../../viz_core/web/src/ui/part";
import { Table } from "../../../viz_core/web/src/ui/table";
import { type Heads, headAt, measuresOf, readHeads, roleOf } from "./heads";

function HeadMeasures(heads: Heads) {
  const { view } = useView();
  if (view.lecture) return null;
  const place = headAt(heads, view);
  const measures = measuresOf(heads, place);
  const lines = measures.map(({ label, share, uniform, times }) => [
    label,
    percent(share),
    percent(uniform),
    `${times.toFixed(1)} ×`,
  ]);
  const columns = ["measure", "share", "uniform", "times"].map((name) => heads.say(`columns.${name}`));
  const role = roleOf(heads, place)?.name;
  return <Table label={heads.say("table")} {...{ columns, lines }} highlighted={measures.findIndex(({ name }) => name === role)} />;
}

export const mountHeadMeasures = part(HeadMeasures, readHeads);
