// plotly's own script, which is loaded once for all pages.

let loading = null;

// address: where the server has it; a file has loaded it by itself. Resolves to plotly.
export function loadPlotly(address) {
  if (globalThis.Plotly) return Promise.resolve(globalThis.Plotly);
  loading ??= import(new URL(address, location.origin)).then(() => globalThis.Plotly);
  return loading;
}
