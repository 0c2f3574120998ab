// Small elements of many parts.

import type { ButtonHTMLAttributes, ComponentChildren, HTMLAttributes, InputHTMLAttributes, RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { isComposing } from "../../../browser/kit/composing";
import { POINTED } from "../../../browser/kit/dom";
import { useView } from "./part";
import type { View } from "./store";

export const Group = ({ label, ...rest }: HTMLAttributes<HTMLDivElement> & { label: string }) => (
  <div role="group" aria-label={label} {...rest} />
);

// act: what a click does; words: what stands on it.
type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & { act?: () => unknown; words?: ComponentChildren };

export const Button = ({ act, words, ...rest }: ButtonProps) => (
  <button type="button" onClick={act} {...rest} children={words ?? rest.children} />
);

// A button whose sign has a name.
export const Sign = ({ named, act, words, ...rest }: ButtonProps & { named: string }) => (
  <button type="button" title={named} aria-label={named} onClick={act} {...rest} children={words} />
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

// A list in which one chooses; where the pointer has opened it, the keys are the page's again.
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

// A data attribute that is there or not.
export const flag = (isOn: unknown) => (isOn ? "" : undefined);

// A listener for keys, which hears none that an input method takes.
export const keys = (act: (event: KeyboardEvent) => void) => (event: KeyboardEvent) => {
  if (!isComposing(event)) act(event);
};

// The one way in which what lies over the page for a moment goes: Escape, a press or the focus elsewhere, or another view. node: with
// what opens it.
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

// The temperature of a softmax on a logarithmic slider, whose place is 100 · log₁₀ T.
const DECADE = 100;
const SNAP = 3; // so many places on either side of T = 1 count as T = 1
const KEYS = 5; // places that an arrow key moves
const MOVES: Record<string, number> = { ArrowRight: KEYS, ArrowUp: KEYS, ArrowLeft: -KEYS, ArrowDown: -KEYS };

interface SliderProps {
  value: number;
  limits: readonly [number, number];
  label: string;
  says: string; // the value in words
  slide: (temperature: number) => void; // while it is held
  choose?: (temperature: number) => void; // once it is released; else as `slide`
}

export function TemperatureSlider({ value, limits: [least, most], label, says, slide, choose = slide }: SliderProps) {
  // Two digits that count: what the slider says is what is computed with.
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
