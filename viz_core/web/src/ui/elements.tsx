// Small elements shared by many parts.

import type { ButtonHTMLAttributes, ComponentChildren, HTMLAttributes, InputHTMLAttributes, RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { isComposing } from "../../../browser/kit/composing";
import { POINTED } from "../../../browser/kit/dom";
import { useView } from "./part";
import type { View } from "./store";

export const Group = ({ label, ...rest }: HTMLAttributes<HTMLDivElement> & { label: string }) => (
  <div role="group" aria-label={label} {...rest} />
);

// act: on click; words: the button's content.
type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & { act?: () => unknown; words?: ComponentChildren };

export const Button = ({ act, words, ...rest }: ButtonProps) => (
  <button type="button" onClick={act} {...rest} children={words ?? rest.children} />
);

// A button with a symbol and a name.
export const Sign = ({ named, act, words, ...rest }: ButtonProps & { named: string; children?: never }) => (
  <button type="button" title={named} aria-label={named} onClick={act} {...rest} children={words} />
);

// A toggle button; on: whether the view has what it sets.
export function Choose({ on, set, ...rest }: ButtonProps & { on: boolean; set: Partial<View> }) {
  const { store } = useView();
  return <Button aria-pressed={on} act={() => store.set(set)} {...rest} />;
}

// A line for typing.
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
  return <dialog ref={node} aria-label={label} onCancel={close} {...rest} children={children} />;
}

interface SelectProps {
  label: string;
  options: string[][]; // value and words of each
  chosen: string;
  choose: (value: string) => void;
  class?: string;
  title?: string;
}

// A drop-down list; after use by pointer it gives the keys back to the page.
export function Select({ label, options, chosen, choose, ...rest }: SelectProps) {
  const change = ({ currentTarget: list }: { currentTarget: HTMLSelectElement }) => {
    choose(list.value);
    if (document.documentElement.hasAttribute(POINTED)) list.blur();
  };
  return (
    <select aria-label={label} value={chosen} onChange={change} {...rest}>
      {options.map(([value, words]) => (
        <option key={value} value={value} children={words} />
      ))}
    </select>
  );
}

// The value of a data attribute that is present or absent.
export const flag = (isOn: unknown) => (isOn ? "" : undefined);

// A key listener that ignores keys taken by an input method.
export const keys = (act: (event: KeyboardEvent) => void) => (event: KeyboardEvent) => {
  if (!isComposing(event)) act(event);
};

// Closes a popup on Escape, on a press or focus elsewhere, or with another view. node: the popup with its opener.
export function useDismiss(node: RefObject<HTMLElement | null>, isOpen: boolean, close: () => void) {
  const { store } = useView();
  useLayoutEffect(() => {
    if (!isOpen) return;
    store.dismiss?.(); // one at a time
    store.dismiss = close;
    const elsewhere = (event: Event) => {
      if (node.current && !event.composedPath().includes(node.current)) close();
    };
    const off = store.subscribe((view, before) => {
      if (view !== before) close();
    });
    for (const name of ["pointerdown", "focusin"]) document.addEventListener(name, elsewhere, true);
    return () => {
      off();
      if (store.dismiss === close) store.dismiss = null;
      for (const name of ["pointerdown", "focusin"]) document.removeEventListener(name, elsewhere, true);
    };
  }, [isOpen]);
}

// The temperature of a softmax on a logarithmic slider; its place is 100 · log₁₀ T.
const DECADE = 100;
const SNAP = 3; // places on either side of T = 1 that count as T = 1
const KEYS = 5; // places that an arrow key moves
const MOVES: Record<string, number> = { ArrowRight: KEYS, ArrowUp: KEYS, ArrowLeft: -KEYS, ArrowDown: -KEYS };

interface SliderProps {
  value: number;
  limits: readonly [number, number];
  label: string;
  says: string; // the value in words
  slide: (temperature: number) => void; // while held
  choose?: (temperature: number) => void; // once released; `slide` by default
}

export function TemperatureSlider({ value, limits: [least, most], label, says, slide, choose = slide }: SliderProps) {
  // Two significant digits, so that the shown value is the computed one.
  const temperatureAt = (to: number) => Math.min(Math.max(Number((10 ** (to / DECADE)).toPrecision(2)), least), most);
  const held = ({ valueAsNumber: to }: HTMLInputElement) => temperatureAt(Math.abs(to) <= SNAP ? 0 : to);
  const press = (event: KeyboardEvent) => {
    const by = MOVES[event.key];
    if (!by) return;
    event.preventDefault();
    const input = event.currentTarget as HTMLInputElement;
    input.valueAsNumber = Math.round(input.valueAsNumber / KEYS) * KEYS + by; // another key may come before the next frame
    choose(temperatureAt(input.valueAsNumber));
  };
  return (
    <>
      <input
        type="range"
        {...{ min: placeOf(least), max: placeOf(most), value: placeOf(value), list: "temperature-one" }}
        aria-label={label}
        aria-valuetext={says}
        onInput={(event) => slide(held(event.currentTarget))}
        onChange={(event) => choose(held(event.currentTarget))}
        onKeyDown={keys(press)}
      />
      <datalist id="temperature-one">
        <option value={0} />
      </datalist>
    </>
  );
}

const placeOf = (temperature: number) => Math.round(DECADE * Math.log10(temperature));
