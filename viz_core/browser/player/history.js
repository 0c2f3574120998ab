// One entry of the browser's history for each view. On the way to another page Streamlit writes the address twice: that
// of the page, and then what is looked at there; the second takes the place of the first. So it does where a link leads
// into a talk.

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
