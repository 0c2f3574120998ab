// A button that leads to another address, of this page or another (`draw_link` in Python).

import { Button, flag } from "../../web/src/ui/elements";
import { part, useView } from "../../web/src/ui/part";
import type { Changes, View } from "../../web/src/ui/store";
import { early } from "../kit/payload";
import { scroller } from "../kit/streamlit";

/** A link. asks: changes of the address; page: another one; each: names of the view, and further changes for each of its states,
 * nested; counts: a number of the address, its least, greatest and usual value: the link takes the next one; main: whether it is the primary button; icon: of Material Symbols; up: whether the change shows further up. */
type Data = {
  label: string;
  name: string;
  asks: Changes;
  page?: string;
  each?: [names: (keyof View)[], states: unknown];
  counts?: [name: string, low: number, high: number, usual: number] | null;
  main?: boolean;
  disabled?: boolean;
  help?: string;
  icon?: string;
  up?: boolean;
};

export function Link({ label, name, asks, page, each: [names, states] = [[], {}], counts, ...rest }: Data) {
  const { main, disabled, help, icon, up } = rest;
  const { store } = useView();
  const counted = (): Changes => {
    if (!counts) return {};
    const [number, low, high, usual] = counts;
    const now = Number(store.now()[number] ?? usual);
    return { [number]: String(now < high ? now + 1 : low) };
  };
  const go = () => {
    const here = names.reduce((from, each) => (from as unknown[])[Number(store.view[each])], states);
    if (up) (scroller() ?? window).scrollTo({ top: 0, behavior: store.theme.still ? "instant" : "smooth" });
    store.ask({ ...asks, ...(here as Changes), ...counted() }, page || undefined);
  };
  return (
    <Button class="asks" data-key={name} data-main={flag(main)} disabled={disabled} title={help || undefined} act={go}>
      {icon && <span class="icon" aria-hidden="true" children={icon} />}
      <span class="words">{label}</span>
    </Button>
  );
}

export const mountLink = part(Link);
export default early(mountLink); // also on a page without a sentence
