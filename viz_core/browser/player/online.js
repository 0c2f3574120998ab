// Whether the server is there. Everything in the browser goes on without it; when it comes back, it hears what is
// looked at.

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
