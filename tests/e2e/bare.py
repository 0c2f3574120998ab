"""A browser-side part on a page with nothing else: the core in `core`, its store in `store`, the part in `part`, made by `code`;
and our scripts for the page of a test, bundled as the app's are, but with all that their modules export.
"""

import base64
import functools
import subprocess
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from types import MappingProxyType
from typing import Any

from playwright.sync_api import Page

from viz_core.explain import Explanation
from viz_core.figures.palette import LIGHT, Palette

CORE = "viz:inner/html_file"
"""What all parts share."""
FRAME = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
"""Until what was changed is painted."""
ELEMENTS = """(name) => [...new DOMParser().parseFromString(part.svg(), "image/svg+xml").querySelectorAll(name)].map((node) => [
  node.textContent, Object.fromEntries([...node.attributes].map(({ name, value }) => [name, value]))])"""
MOUNT = """([payload, limits, theme, view, mount, records]) => {
    const root = document.querySelector("#root");
    root.address = "/data/part?model=m";
    const found = (address) => Object.keys(records).find((each) => address.includes(each));
    core.answerFrom(async (address) => (found(address) ? core.bytesOf(records[found(address)]) : "away"));
    window.messages = [];
    window.store = core.makeStore();
    Object.assign(store, { limits, theme, send: (name, value) => messages.push([name, value]) });
    store.set({ token: 0, ...view });
    core.installKeys(store);
    core.installPlayer(store);
    window.bytes = core.bytesOf(payload);
    window.part = code[mount](root, bytes, store);
}"""


def frame(tab: Page) -> None:
    """Waits until what was changed is painted."""
    tab.evaluate(FRAME)


def sent(payload: bytes) -> str:
    """Bytes as `core.bytesOf` reads them."""
    return base64.b64encode(payload).decode()


def mount(
    tab: Page,
    name: str,
    payload: bytes,
    explanation: Explanation,
    view: dict[str, Any],
    *,
    page: str,
    predict: str = "word",
    stages: bool | str = False,
    width: int | None = None,
    style: str = "",
    above: int = 0,
    theme: Palette = LIGHT,
    still: bool = True,
    records: Mapping[str, bytes] = MappingProxyType({}),
) -> None:
    """Shows a part as on a page of the app.

    Args:
        name: such as `attention_view`.
        view: what the store holds, beside its defaults.
        page, stages, and what Predict asks: as the app sets them in `store.limits`; True: the stages of the attention page.
        width: of the part in px; without one, as wide as the window.
        above: px of empty space above it.
        style: of the page.
        records: what the part may fetch, by a piece of its address.
    """
    config = explanation.trace.config
    if stages is True:
        stages = page.removesuffix("_attention")
    limits: dict[str, Any] = {"page": page, "text": "t", "stages": stages, "question": {"asked": predict}}
    limits |= {"steps": len(explanation.steps), "layers": config.common_layers, "heads": config.n_heads}
    limits |= {"tokens": len(explanation.source), "walks": "token" if page == "self_attention" else "step"}
    wide = "auto" if width is None else f"{width}px"
    part = f"<div id=root class='viz-part viz-{name.replace('_', '-')}'></div>"
    room = f"<div style='height: {above}px'></div><div style='width: {wide}'>{part}</div>"
    tab.set_content(f"<style>{style}</style>{room}")
    kept = {piece: sent(answer) for piece, answer in records.items()}
    tab.add_script_tag(content=bundled(name, core=CORE, code=f"viz:inner/{name}"))
    tab.evaluate("document.fonts.load('18px \"Source Sans\"')")
    tab.evaluate(MOUNT, [sent(payload), limits, asdict(theme) | {"still": still}, view, mount_name(name), kept])
    frame(tab)


def widen(tab: Page, width: int, height: int = 720) -> None:
    """Gives the part another width, in a window as wide."""
    tab.set_viewport_size({"width": width, "height": height})
    tab.evaluate("width => { document.querySelector('#root').parentElement.style.width = `${width}px`; }", width)
    frame(tab)
    frame(tab)  # it is told of its size in the first one


def elements(tab: Page, name: str) -> list[tuple[str, dict[str, str]]]:
    """Text and attributes of each element of the drawing as it is saved, in the order of drawing."""
    return [(text, attributes) for text, attributes in tab.evaluate(ELEMENTS, name)]


def texts(tab: Page) -> list[str]:
    return [text for text, _ in elements(tab, "text")]


ROOT = Path(__file__).parents[2]
STYLE = """
import text from "viz:style/{name}";
document.head.append(Object.assign(document.createElement("style"), {{ textContent: text }}));
"""


@functools.cache
def bundled(style: str = "", **given: str) -> str:
    """A script that gives the page's window these names.

    Args:
        style: the part whose style sheet it puts at the head of the page.
        given: name → a module, such as `viz:inner/overview`: all that the overview is made of, see `viz_core/web/modules.mjs`.
    """
    lines = [f'import * as {name} from "{module}";\nwindow.{name} = {{ ...{name} }};' for name, module in given.items()]
    entry = "\n".join([STYLE.format(name=style) if style else "", *lines])
    command = ["node", "viz_core/web/build.mjs", "--stdin"]
    return subprocess.run(command, cwd=ROOT, input=entry, capture_output=True, text=True, check=True).stdout


def mount_name(name: str) -> str:
    """The function that a part's module exports: `mountNextToken` of `next_token`."""
    return "mount" + "".join(word.capitalize() for word in name.split("_"))
