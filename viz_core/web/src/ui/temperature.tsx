// The temperature of a softmax on a logarithmic slider.

import { keys } from "./elements";

// The slider's place is 100 · log₁₀ T.
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
