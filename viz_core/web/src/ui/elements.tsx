// Small elements of many parts.

import type { ComponentChildren } from "preact";
import { isComposing } from "../../../browser/kit/composing.js";
import { useView } from "./part";
import type { View } from "./store";

export function Group({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <div role="group" aria-label={label}>
      {children}
    </div>
  );
}

// A button that chooses: pressed while what it sets is so.
export function Pick({ on, set, children, ...rest }: PickProps) {
  const { store } = useView();
  return (
    <button type="button" aria-pressed={on} onClick={() => store.set(set)} {...rest}>
      {children}
    </button>
  );
}

interface PickProps {
  on: boolean;
  set: Partial<View>;
  children: ComponentChildren;
  disabled?: boolean;
  "aria-label"?: string;
}

// A data attribute that is there or not.
export const flag = (isOn: unknown) => (isOn ? "" : undefined);

// A listener for keys, which hears none that an input method takes.
export const keys = (act: (event: KeyboardEvent) => void) => (event: KeyboardEvent) => {
  if (!isComposing(event)) act(event);
};
