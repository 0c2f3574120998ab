// What the player does for the page around it: one entry of the browser's history for each view, figures that grow with
// the window in lecture mode, and watching whether the server is there.

export function oneEntryForEachView() {
  if (history.pushState.ours) return;
  const push = history.pushState;
  const ours = { halfway: !location.search };
  history.pushState = (state, unused, url) => {
    const elsewhere = new URL(url ?? "", location.href).pathname !== location.pathname;
    const again = ours.halfway || intoTalk(location.search);
    ours.halfway = elsewhere;
    return (again ? history.replaceState : push).call(history, state, unused, url);
  };
  history.pushState.ours = ours;
  addEventListener("popstate", () => {
    ours.halfway = false;
  });
}

// The address is that of what is shown: nothing more will be written.
export function addressIsRight() {
  if (history.pushState.ours) history.pushState.ours.halfway = false;
}

function intoTalk(search) {
  const asked = new URLSearchParams(search);
  return asked.has("talk") && !asked.has("text");
}

const WIDTH = 1280;
const HEIGHT = 720; // px of the window for which the figures are drawn
const CHART = ".st-key-_page .stPlotlyChart";

export function growFigures() {
  const scale = () => {
    const times = Math.max(1, Math.min(innerWidth / WIDTH, innerHeight / HEIGHT));
    document.documentElement.style.setProperty("--viz-scale", times.toFixed(3));
  };
  const sizes = new ResizeObserver((changes) => {
    for (const { target } of changes)
      target.closest("[data-testid=stElementContainer]")?.style.setProperty("--high", `${target.offsetHeight}px`);
  });
  // once each, however often
  const charts = () => document.querySelectorAll(CHART).forEach((chart) => sizes.observe(chart));
  const main = document.querySelector("[data-testid=stMain]") ?? document.body;
  new MutationObserver(charts).observe(main, { childList: true, subtree: true });
  addEventListener("resize", scale);
  scale();
  charts();
}

const EVERY = 2500; // ms

// Keeps store.online, from now on.
export function watchServer(store, health) {
  const ask = async () => {
    const online = await fetch(health, { cache: "no-store", signal: AbortSignal.timeout(EVERY) }).then(
      ({ ok }) => ok,
      () => false, // refused, or no answer in time
    );
    if (online !== store.online) {
      store.online = online;
      store.repaint();
    }
    if (!online) closeDialog();
    setTimeout(ask, EVERY);
  };
  // Streamlit lays a dialog over the page when the server is gone; the player says the same in a line of its own.
  const closeDialog = () => {
    for (const dialog of document.querySelectorAll("[role=dialog]")) {
      if (/connection error/i.test(dialog.textContent)) dialog.querySelector("button[aria-label], button")?.click();
    }
  };
  const laid = () => {
    if (!store.online) closeDialog();
  };
  new MutationObserver(laid).observe(document.body, { childList: true });
  setTimeout(ask, EVERY);
}
