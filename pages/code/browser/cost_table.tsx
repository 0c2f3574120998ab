// The parameters, the memory and the multiply-adds of each part of a model, and their sums.

import { grouped, percent } from "../../../viz_core/browser/kit/numbers";
import { total } from "../../../viz_core/web/src/engine/analysis/cost";
import { textsIn } from "../../../viz_core/web/src/texts";
import { part } from "../../../viz_core/web/src/ui/part";
import { Table } from "../../../viz_core/web/src/ui/table";
import { amount, type Cost, readCost, size } from "./cost";

const columns = textsIn("code.cost_columns");
const parts: Record<string, string> = textsIn("code.cost_parts");

/** The lines of the table, the sums last. */
export function costLines({ costs }: Pick<Cost, "costs">) {
  const sumOf = (name: Parameters<typeof total>[1]) => total(costs, name);
  const all = { name: "", parameters: sumOf("parameters"), projected: sumOf("projected"), paired: sumOf("paired") };
  return [...costs, all].map(({ name, parameters, projected, paired }) => {
    const products = projected + paired;
    return [
      name ? (parts[name] ?? name) : columns.sum,
      ...[grouped(parameters), percent(parameters / all.parameters), size(4 * parameters), size(2 * parameters)],
      ...(products ? [amount(products), percent(products / (all.projected + all.paired))] : ["–", "–"]),
    ];
  });
}

function CostTable(cost: Cost) {
  const { part: first, parameters, share, float32, float16, products } = columns;
  const names = [first, parameters, share, float32, float16, products, share];
  return <Table label={columns.region} columns={names} lines={costLines(cost)} sums={1} />;
}

export const mountCostTable = part(CostTable, readCost);
