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

const EVERY = 2500; // ms
const DIALOG = "[role=dialog]";

export function watchServer(store, health) {
  let timer = 0;
  let stopped = false;
  const ask = async () => {
    let online = false;
    try {
      online = (await fetch(health, { cache: "no-store", signal: AbortSignal.timeout(EVERY) })).ok;
    } catch {
      online = false; // refused, or no answer in time
    }
    if (stopped) return;
    if (online !== store.online) {
      store.online = online;
      store.repaint();
    }
    if (!online) closeDialog();
    timer = setTimeout(ask, EVERY);
  };
  // Streamlit lays a dialog over the page when the server is gone; the player says the same in a line of its own.
  const closeDialog = () => {
    for (const dialog of document.querySelectorAll(DIALOG)) {
      if (/connection error/i.test(dialog.textContent)) dialog.querySelector("button[aria-label], button")?.click();
    }
  };
  const observer = new MutationObserver(() => {
    if (!store.online) closeDialog();
  });
  observer.observe(document.body, { childList: true });
  timer = setTimeout(ask, EVERY);
  return () => {
    stopped = true;
    clearTimeout(timer);
    observer.disconnect();
  };
}
