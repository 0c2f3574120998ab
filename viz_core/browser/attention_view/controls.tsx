// View controls; the less common ones are behind "More". The stages of the computation are in the player.

import { render } from "preact";
import { Button, Group } from "../../web/src/ui/elements";
import type { Store, View } from "../../web/src/ui/store";
import { toolbar } from "../kit/dom";
import { fill, percent } from "../kit/numbers";
import { possible } from "./selection";
import type { Texts } from "./data";
import type { patternOf } from "./reading";

const SHOW = ["one", "mean", "layer", "model"];
// name → field of the view, its value when off and when on
const SWITCHES = {
  lines: ["form", "matrix", "lines"],
  neurons: ["form", "matrix", "neurons"],
  words: ["unit", "tokens", "words"],
  log: ["scale", "linear", "log"],
  order: ["order", "sentence", "weight"],
  specials: ["specials", "show", "hide"],
} as const;

type Able = Partial<Record<keyof typeof SWITCHES, boolean>>;

interface Shown {
  canWhole: boolean;
  isWhole: boolean;
  pattern?: ReturnType<typeof patternOf>; // of the current head
}

interface Props extends Shown {
  texts: Texts;
  store: Store;
  view: View;
  may: Able;
  toggleWhole: () => void;
}

let isMore = false; // on all pages, once opened

function Controls({ texts, store, view, may, canWhole, isWhole, pattern, toggleWhole }: Props) {
  const named = (name: string) => ({ words: texts[name], title: texts[`long_${name}`] });
  const switches = Object.entries(SWITCHES) as [keyof Able, (typeof SWITCHES)[keyof Able]][];
  const isSet = switches.some(([, [field, , on]]) => view[field] === on);
  isMore ||= isSet; // an active switch is visible, and stays in place when it is switched off
  const more = () => {
    isMore = !isMore;
    store.repaint();
  };
  const words: string | undefined = pattern
    ? fill(texts[`pattern_${pattern.name}`] ?? "", { share: percent(pattern.share) })
    : undefined;
  return (
    <>
      <Group label={texts.show} class="group">
        {SHOW.map((show) => (
          <Button key={show} {...named(`show_${show}`)} aria-pressed={view.show === show} act={() => store.set({ show })} />
        ))}
      </Group>
      <Button {...named("more")} aria-expanded={isMore} hidden={isSet} act={more} />
      <div class="switches" hidden={!isMore}>
        {switches.map(([name, [field, off, on]]) => {
          const means = may[name] ?? true;
          const act = () => store.set({ [field]: store.view[field] === on ? off : on });
          return (
            <Button
              key={name}
              {...named(`switch_${name}`)}
              aria-pressed={means && view[field] === on}
              disabled={!means}
              act={act}
            />
          );
        })}
      </div>
      <p class="pattern" title={words} children={words} />
      <Button {...named("whole")} class="whole" aria-pressed={isWhole} hidden={!canWhole} act={toggleWhole} />
    </>
  );
}

// able: which switches apply to a view.
export function mountControls(texts: Texts, store: Store, toggleWhole: () => void, able: (view: View) => Able = possible) {
  const bar = toolbar(texts.options, { class: "bar options" });
  const paint = (view: View, shown: Shown) => {
    bar.hidden = view.lecture; // keeps the slide uncluttered
    render(<Controls {...{ texts, store, view, toggleWhole, ...shown }} may={able(view)} />, bar);
  };
  return { bar, paint };
}
