// One entry of the browser's history for each view. When one goes to another page, Streamlit writes its bare address, and only then
// what is looked at there: the second write takes the place of the first.

let fresh = false; // whether the last entry is the bare address of a page that has just been opened

export function oneEntryForEachView() {
  if (history.pushState.ours) return;
  const push = history.pushState;
  history.pushState = function (state, unused, url) {
    const from = location.pathname, search = location.search, to = new URL(url ?? "", location.href);
    const second = fresh && to.pathname === from && !search;
    fresh = to.pathname !== from && !to.search;
    return (second ? history.replaceState : push).call(history, state, unused, url);
  };
  history.pushState.ours = true;
}

// The page shows what its bare address means: nothing more will be written.
export function bareIsRight() {
  fresh = false;
}
