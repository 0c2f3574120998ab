// plotly's own script, which is loaded once for all pages.

/** An axis as plotly has drawn it: px from a number, and where it begins. */
export interface Axis {
  d2p(value: unknown): number;
  _offset: number;
}

export interface Trace {
  type?: string;
  customdata?: ArrayLike<ArrayLike<number>>;
  hovertext?: string | string[] | string[][];
  visible?: boolean | string;
  hoverinfo?: string;
  orientation?: string;
  xaxis?: string;
  yaxis?: string;
  x?: unknown[];
  y?: unknown[];
}

export interface Layout {
  width?: number;
  height: number;
  autosize?: boolean;
  annotations?: { x?: unknown; y?: unknown; text?: string; visible?: boolean }[];
  meta: { titles?: string; says?: (string | number)[]; lowest?: number; description?: string };
}

/** The element in which it has drawn a figure. */
export interface PlotElement extends HTMLElement {
  layout?: Layout;
  _fullData?: Trace[];
  _fullLayout?: Record<string, Axis>;
  on?(name: "plotly_click", act: (event: { points: { customdata?: unknown }[] }) => void): void;
}

interface Plotly {
  react(plot: HTMLElement, data: Trace[], layout: Layout, config: object): Promise<unknown>;
  purge(plot: HTMLElement): void;
}

declare global {
  var Plotly: Plotly | undefined;
}

let loading: Promise<Plotly> | null = null;

/** address: where the server has it; a file has loaded it by itself. */
export function loadPlotly(address: string): Promise<Plotly> {
  if (globalThis.Plotly) return Promise.resolve(globalThis.Plotly);
  loading ??= import(new URL(address, location.origin).href).then(() => globalThis.Plotly as Plotly);
  return loading;
}
