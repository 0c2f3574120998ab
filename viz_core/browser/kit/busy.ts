// What the page still waits for: data on their way, and the pause after which the address follows. Meanwhile the document has the
// attribute `data-busy`.

let waiting = 0;

// Counts one thing more, or with -1 one that is there.
export function count(more: 1 | -1): void {
  waiting += more;
  document.documentElement.toggleAttribute("data-busy", waiting > 0);
}

// Calls act once nobody has called begin() for so many ms.
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
