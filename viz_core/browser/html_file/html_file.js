// A view as a file of its own, without a server: what `viz_core/app/html_file.py` wrote into the document is shown and
// steps by keys.

import { installKeys, installPlayer } from "../kit/keys.js";
import { dress, el } from "../kit/dom.js";
import { theStore } from "../kit/store.js";
import { bytesOf } from "../kit/payload.js";
import { mountPlayer } from "../player/player.js";
import { mountTopBar } from "../top_bar/top_bar.js";

// mounts: name of a part → function (root, payload, store); each part's script has put its own there.
export function openAlone(mounts) {
  const data = JSON.parse(document.getElementById("data").textContent);
  const store = theStore();
  const main = document.querySelector("main");
  store.theme = { ...data.theme, still: matchMedia("(prefers-reduced-motion: reduce)").matches };
  store.adopt({ session: "file", heard: 0, limits: data.limits, view: data.view });
  dress(document.documentElement, store.theme);
  // A shadow root for each part: their style sheets know nothing of each other.
  const room = (name, parent) => {
    const root = el("div", { class: `viz-${name.replaceAll("_", "-")}` });
    const host = el("div", { "data-part": name });
    host.attachShadow({ mode: "open" }).append(el("style", {}, data.styles[name] ?? ""), root);
    parent.append(host);
    return root;
  };
  mountPlayer(room("player", document.querySelector("header")), data.player, store);
  mountTopBar(room("top_bar", main), data.top_bar, store);
  for (const { name, payload } of data.parts) mounts[name](room(name, main), bytesOf(payload), store);
  installKeys(store);
  installPlayer(store);
}
