// A view as a file of its own, without a server: what `viz_core/export/page.py` wrote into the document is shown and steps by keys.

import { dress, el } from "../shared/dom.js";
import { installKeys } from "../shared/keys.js";
import { installPlayer } from "../shared/player.js";
import { theStore } from "../shared/store.js";
import { bytesOf } from "../shared/tensors.js";
import { mountRemote } from "../remote/remote.js";
import { mountStrip } from "../strip/strip.js";

// mounts: name of a part → function (root, payload, store); each part's script has put its own there.
export function openAlone(mounts) {
  const data = JSON.parse(document.getElementById("data").textContent);
  const store = theStore(), main = document.querySelector("main");
  store.theme = { ...data.theme, still: matchMedia("(prefers-reduced-motion: reduce)").matches };
  store.adopt({ session: "file", heard: 0, limits: data.limits, view: data.view });
  dress(document.documentElement, store.theme);
  // A shadow root for each part: their style sheets know nothing of each other.
  const room = (name, parent) => {
    const root = el("div", { class: `viz-${name}` }), host = el("div", { "data-part": name });
    host.attachShadow({ mode: "open" }).append(el("style", {}, data.styles[name] ?? ""), root);
    parent.append(host);
    return root;
  };
  mountRemote(room("remote", document.querySelector("header")), data.remote, store);
  mountStrip(room("strip", main), data.strip, store);
  for (const { name, payload } of data.parts) mounts[name](room(name, main), bytesOf(payload), store);
  installKeys(store);
  installPlayer(store);
}
