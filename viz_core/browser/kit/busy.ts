// Counts what the page is waiting for: data being fetched, and pauses before the address is written. While the count is above 0, the
// document has the attribute `data-busy`.

let waiting = 0;

export function count(more: 1 | -1): void {
  waiting += more;
  document.documentElement.toggleAttribute("data-busy", waiting > 0);
}

// Calls `act` once `pause` ms have passed since the last begin().
export function afterPause(act: () => void, pause: number) {
  let timer = 0;
  const stop = () => {
    if (timer) count(-1);
    clearTimeout(timer);
    timer = 0;
  };
  const begin = () => {
    if (!timer) count(1);
    clearTimeout(timer);
    timer = window.setTimeout(() => {
      stop();
      act();
    }, pause);
  };
  return { begin, stop };
}
