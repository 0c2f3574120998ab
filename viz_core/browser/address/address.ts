// On every page, receives what Python reports of the address, and writes it.

import type { Drawn, Leads } from "../../web/src/address";
import { theStore } from "../../web/src/state";
import { followLinks } from "./links";

type Streamlit = { data: [Drawn | Leads]; setTriggerValue: (event: string, value: unknown) => void };

let isInstalled = false;

export default function ({ data: [data], setTriggerValue }: Streamlit) {
  const store = theStore();
  if (!isInstalled) {
    store.install();
    followLinks(store);
  }
  isInstalled = true;
  store.onMessage(data, setTriggerValue);
}
