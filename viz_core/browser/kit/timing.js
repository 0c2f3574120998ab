// Once a frame, and again until it is done.

// act, at most once a frame: { soon(), cancel() }.
export function perFrame(act) {
  let frame = 0;
  const run = () => {
    frame = 0;
    act();
  };
  return {
    soon: () => {
      frame ||= requestAnimationFrame(run);
    },
    cancel: () => cancelAnimationFrame(frame),
  };
}

// Sends something, and again while it is pending: the server may be away, and a run that brings it be interrupted.
// pause(times): ms until the next time, after so many.
export function repeating(send, isPending, pause) {
  let timer = 0;
  let times = 0;
  const resume = (after) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (isPending()) sendNow();
    }, after);
  };
  const sendNow = () => {
    send();
    resume(pause(times));
    times += 1;
  };
  return {
    begin() {
      times = 0;
      sendNow();
    },
    stop: () => clearTimeout(timer),
    resume,
  };
}
