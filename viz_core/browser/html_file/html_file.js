// A view, or the views of a talk, as a file of their own, without a server: what `viz_core/app/html_file.py` wrote into the
// document is shown and steps by keys. To the store the file is what the server is in the app: it brings the next view.

import { installKeys, installPlayer, switchNotes } from "../kit/keys";
import { answerFrom } from "../kit/data";
import { dress, el, setText } from "../kit/dom";
import { theStore } from "../../web/src/state";
import { growFigures } from "../player/page_around";
import { mountPlayer } from "../player/player";
import { mountTopBar } from "../top_bar/top_bar";
import { HANDOUT, showHandout } from "./handout.js";
import { makeStage } from "./stage.js";
import { makeUnpack } from "./unpack.js";

// data: as the file holds it; parts: name → { mount: (root, payload, store), style }.
export async function openAlone(data, parts) {
  const { texts, views } = data;
  const store = theStore();
  store.theme = { ...data.theme, still: matchMedia("(prefers-reduced-motion: reduce)").matches };
  dress(document.documentElement, store.theme);
  // A shadow root for each part: their style sheets know nothing of each other.
  const room = (name, parent, of = name) => {
    const root = el("div", { class: `viz-${name.replaceAll("_", "-")}` });
    const host = el("div", { "data-part": name });
    host.attachShadow({ mode: "open" }).append(el("style", {}, parts[of].style), root);
    parent.append(host);
    return root;
  };
  const unpack = makeUnpack(data.packed);
  answerFrom((address) => (data.records[address] ? unpack(data.records[address]) : "away"));
  const words = { covered: texts.covered, covered_figure: texts.covered_figure, ...texts.file };
  const main = document.querySelector("main");
  const stage = makeStage(main, { room, parts, unpack, plotly: data.plotly, texts: words }, store);
  const nav = document.querySelector("nav");
  let topBar = null;
  let [wanted, shown] = [-1, -1];
  let turning = Promise.resolve();

  const adopt = (at) => {
    const { heading, caption, note, limits, view, exact, top_bar: strip } = views[at];
    const talk = data.talk && { ...data.talk, at, page: limits.page, note };
    store.adopt({ session: "file", heard: 0, limits, view, exact, talk });
    setText(document.querySelector("h1"), heading);
    const runs = caption.map((text, index) => el(index % 2 ? "b" : "span", {}, text));
    document.querySelector("header p").replaceChildren(...runs);
    if (topBar) topBar.update(strip);
    else topBar = mountTopBar(room("top_bar", nav), strip, store);
    if (data.talk) history.replaceState(null, "", `#${at + 1}`);
  };

  // Only once all that it needs is unpacked, so that heading and picture change together.
  const turn = async (at) => {
    if (wanted !== at) return; // another one has been asked for meanwhile
    const isNew = shown !== at;
    const drawn = isNew && (await stage.unpacked(views[at]));
    if (wanted !== at) return;
    if (isNew) stage.clear();
    adopt(at);
    if (!isNew) return;
    shown = at;
    await stage.draw(views[at], drawn);
    if (views[at + 1]) stage.unpacked(views[at + 1]); // it is then there at once
  };

  // One after the other: plotly, which draws in several frames, would fail on a figure that is taken away meanwhile.
  const bring = (at) => {
    if (wanted !== at) turning = turning.then(() => turn(at)); // else it is on its way
    wanted = at;
    return turning;
  };

  if (location.hash === HANDOUT) {
    await showHandout(views, { bring, texts: words }, store);
    return;
  }
  const asked = Number.parseInt(location.hash.slice(1), 10) || 1;
  const first = Math.min(Math.max(asked, 1), views.length) - 1;
  adopt(first); // before it is unpacked, so that no key is lost
  store.bring = bring;
  mountFoot(data, room, store);
  installKeys(store);
  installPlayer(store);
  await bring(first);
}

// At the foot of the window, as in the app: steps, the place in the talk, notes; and what lies over the page.
function mountFoot({ texts, talk }, room, store) {
  const named = (name, act) => [name, texts.file[`${name}_sign`], texts.file[name], act];
  const more = talk ? [named("notes", () => switchNotes(store)), named("handout", openHandout)] : [];
  const words = { texts: texts.player, bar: texts.bar, covers: texts.covers, more };
  mountPlayer(room("player", document.body), words, store);
  growFigures();
}

function openHandout() {
  location.hash = HANDOUT;
  location.reload();
}
