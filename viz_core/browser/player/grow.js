// In lecture mode the figures that Python drew in px grow with the window, as letters do: a row that can be read at 1280 × 720
// can be read on any projector. The browser's own parts do so by themselves. The style sheet reads --viz-scale, and
// --high of a chart.

const WIDTH = 1280;
const HEIGHT = 720; // px of the window for which the figures are drawn
const CHART = ".st-key-_page .stPlotlyChart";

export function growFigures(root = document.documentElement) {
  const scale = () =>
    root.style.setProperty("--viz-scale", Math.max(1, Math.min(innerWidth / WIDTH, innerHeight / HEIGHT)).toFixed(3));
  const sizes = new ResizeObserver((changes) => {
    for (const { target } of changes)
      target.closest("[data-testid=stElementContainer]")?.style.setProperty("--high", `${target.offsetHeight}px`);
  });
  // once each, however often
  const charts = () => document.querySelectorAll(CHART).forEach((chart) => sizes.observe(chart));
  const come = new MutationObserver(charts);
  come.observe(document.querySelector("[data-testid=stMain]") ?? document.body, { childList: true, subtree: true });
  addEventListener("resize", scale);
  scale();
  charts();
  return () => {
    come.disconnect();
    sizes.disconnect();
    removeEventListener("resize", scale);
  };
}
