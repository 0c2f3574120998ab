// What Python says of the address, on every page; the browser writes it.

import { theStore } from "../../web/src/state";
import { hear, installVisits } from "../../web/src/visits";

type Streamlit = { data: [Parameters<typeof hear>[1]]; setTriggerValue: (event: string, value: unknown) => void };

let isInstalled = false;

export default function ({ data: [data], setTriggerValue }: Streamlit) {
  const store = theStore();
  if (!isInstalled) installVisits(store);
  isInstalled = true;
  hear(store, data, setTriggerValue);
}
