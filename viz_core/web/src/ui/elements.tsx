// Small elements of many parts.

import type { ButtonHTMLAttributes, ComponentChildren, HTMLAttributes, InputHTMLAttributes, RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { isComposing } from "../../../browser/kit/composing";
import { dismissible } from "../../../browser/kit/dismiss";
import { POINTED, repeating } from "../../../browser/kit/dom";
import { useView } from "./part";
import type { View } from "./store";

export const Group = ({ label, ...rest }: HTMLAttributes<HTMLDivElement> & { label: string }) => (
  <div role="group" aria-label={label} {...rest} />
);

// act: what a click does; words: what stands on it.
type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & { act?: () => unknown; words?: ComponentChildren };

export const Button = ({ act, words, ...rest }: ButtonProps) => (
  <button type="button" onClick={act} {...rest}>
    {words ?? rest.children}
  </button>
);

// A button whose sign has a name.
export const Sign = ({ named, act, words, ...rest }: ButtonProps & { named: string }) => (
  <button type="button" title={named} aria-label={named} onClick={act} {...rest}>
    {words}
  </button>
);

// A button that chooses: pressed while what it sets is so.
export function Choose({ on, set, ...rest }: ButtonProps & { on: boolean; set: Partial<View> }) {
  const { store } = useView();
  return <Button aria-pressed={on} act={() => store.set(set)} {...rest} />;
}

// A line in which one types.
export const TextLine = (props: InputHTMLAttributes<HTMLInputElement>) => (
  <input type="text" autocomplete="off" spellcheck={false} enterkeyhint="go" {...props} />
);

interface DialogProps {
  isOpen: boolean;
  close: () => void;
  label: string;
  children?: ComponentChildren;
  [attribute: string]: unknown;
}

export function Dialog({ isOpen, close, label, children, ...rest }: DialogProps) {
  const node = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    if (isOpen !== node.current?.open) isOpen ? node.current?.showModal() : node.current?.close();
  }, [isOpen]);
  return (
    <dialog ref={node} aria-label={label} onCancel={close} {...rest}>
      {children}
    </dialog>
  );
}

interface SelectProps {
  label: string;
  options: string[][]; // value and words of each
  chosen: string;
  choose: (value: string) => void;
  class?: string;
}

// A list in which one chooses; where the pointer has opened it, the keys are the page's again.
export function Select({ label, options, chosen, choose, class: className }: SelectProps) {
  const change = ({ currentTarget: list }: { currentTarget: HTMLSelectElement }) => {
    choose(list.value);
    if (document.documentElement.hasAttribute(POINTED)) list.blur();
  };
  return (
    <select class={className} aria-label={label} value={chosen} onChange={change}>
      {options.map(([value, words]) => (
        <option key={value} value={value}>
          {words}
        </option>
      ))}
    </select>
  );
}

// A data attribute that is there or not.
export const flag = (isOn: unknown) => (isOn ? "" : undefined);

// A listener for keys, which hears none that an input method takes.
export const keys = (act: (event: KeyboardEvent) => void) => (event: KeyboardEvent) => {
  if (!isComposing(event)) act(event);
};

// Closes what is open for a moment with Escape, a press or the focus elsewhere, or another view; node: with what opens it.
export function useDismiss(node: RefObject<HTMLElement | null>, isOpen: boolean, close: () => void) {
  const { store } = useView();
  useLayoutEffect(() => {
    if (!isOpen || !node.current) return;
    const watch = dismissible(node.current, store, close);
    watch(true);
    return () => watch(false);
  }, [isOpen]);
}

const TAKEN_AFTER = 4000; // ms until what Python has not taken is said again: it may have been busy with another page

// A value that Python is told until it has taken it: [what it has not taken yet or null, say(value)]. now: as Python has it;
// isOver(value, before): whether nothing of it is to be said any more.
export function useTold(name: string, now: string, isOver: (value: string, before: string) => boolean) {
  const { send } = useView();
  const told = useRef<{ value: string; before: string } | null>(null);
  if (told.current && isOver(told.current.value, told.current.before)) told.current = null;
  const telling = useRef<ReturnType<typeof repeating> | null>(null);
  telling.current ??= repeating(
    () => send?.(name, told.current?.value),
    () => told.current !== null,
    () => TAKEN_AFTER,
  );
  const say = (value: string) => {
    told.current = { value, before: now };
    telling.current?.begin();
  };
  return [told.current?.value ?? null, say] as const;
}
