"""All that the golden pictures and numbers know of today's machinery. A rewrite of the front repoints this file alone."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from html import unescape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest import mock
from urllib.parse import parse_qsl, urlencode

from playwright.sync_api import Page, Request

from tests.e2e.bare import bundled
from tests.e2e.conftest import SIZE, chromium
from tests.e2e.driving import settle, turn_to
from tests.e2e.servers import build, shared
from tests.golden.digest import table
from tests.pages.test_all_pages import FILES, opened
from tests.plots import figure_of, known, payloads, unpacked
from viz_core.app import downloads
from viz_core.app.answers import answer_at
from viz_core.app.page import Page as Shown
from viz_core.params import WALKED as PLACE
from viz_core.texts import fill

CORE = "if (!window.golden) {{ {} golden.store = golden.theStore(); }} null;"
WALK = """(place) => {
  const { store } = window.golden;
  const index = (name) => place[name] - 1;
  const patch = { stage: place.stage ?? "softmax", open: place.open ?? "" };
  for (const name of ["step", "layer", "head", "token"]) patch[name] = index(name);
  patch.cell = place.cell?.split("-").map((each) => each - 1) ?? null;
  patch.dim = place.dim ? index("dim") : null;
  const changed = Object.keys(patch).filter((name) => String(patch[name]) !== String(store.view[name]));
  if (changed.some((name) => store.drawn.follows.includes(name))) return false;
  store.set(patch);
  return true;
}"""
"""What the keys do: no message to the server. Not where Python draws what changes."""
WALKED = ("step", "layer", "head", "token", "cell", "dim", "stage", "open")
SAVED = """async (below) => {
  await document.fonts.ready;
  const { store } = window.golden;
  const look = async () => {
    const texts = below();
    const isToCome = document.querySelector(".st-key-_below") && !texts.length;
    return [(await store.picture?.svg()) ?? "", texts, isToCome];
  };
  const isBusy = () => document.documentElement.hasAttribute("data-busy");
  let [now, before] = [await look(), null];
  for (let looks = 0; looks < 60 && (isBusy() || now[2] || String(now) !== String(before)); looks += 1) {
    await new Promise((done) => setTimeout(done, 120));
    [now, before] = [await look(), now];
  }
  return now;
}"""
"""The SVG that the page saves, before its texts become outlines, and the texts below it, once both have stopped changing."""
BELOW = """() => {
  const text = (node) => {
    if (node.nodeType === Node.TEXT_NODE) return node.data;
    if (node.matches?.("script, style, button, select") || node.checkVisibility?.() === false) return "";
    const formula = node.matches?.(".katex") && node.querySelector("annotation");
    if (formula) return ` $${formula.textContent}$ `;
    const inner = [...(node.shadowRoot ?? node).childNodes].map(text).join("");
    return node.matches?.("p, li, td, th, div, summary, h2, h3, h4") ? `${inner}\\n` : inner;
  };
  const roots = (node) => [
    ...node.querySelectorAll(".viz-prose:not(.viz-decodings)"),
    ...[...node.querySelectorAll("*")].flatMap(({ shadowRoot }) => (shadowRoot ? roots(shadowRoot) : [])),
  ];
  const all = roots(document).map(text).join("\\n");
  return all.split("\\n").map((line) => line.replace(/\\s+/g, " ").trim()).filter(Boolean);
}"""
"""What the reader sees below the figure, such as the arithmetic, formulas as TeX: one text for each line."""


class Gallery:
    """The app in a tab, from address to address.

    Args:
        tab: with the app open, at `url`.
    """

    def __init__(self, tab: Page, url: str) -> None:
        self.tab, self.url, self._base, self._theme = tab, url, "", ""
        self._asked, self._waiting = 0, set[Request]()
        tab.on("request", self._ask)
        for answered in ("requestfinished", "requestfailed"):  # also of what was asked before
            tab.on(answered, self._hear)
        tab.emulate_media(color_scheme="light", reduced_motion="reduce")
        tab.evaluate(CORE.format(bundled(golden="viz:inner/html_file")))

    def picture(self, page: str, parameters: str, *, dark: bool = False) -> tuple[str, list[str]]:
        """The SVG that a page saves at an address, and the texts below its figure."""
        theme = "dark" if dark else "light"
        if self._theme != theme:
            self.tab.emulate_media(color_scheme="dark" if dark else "light", reduced_motion="reduce")
            self._base, self._theme = "", theme
            settle(self.tab)
        place = dict(parse_qsl(parameters))
        base = f"{page}?{urlencode({name: value for name, value in place.items() if name not in WALKED})}"
        if base != self._base or not self.tab.evaluate(WALK, place):
            turn_to(self.tab, f"{self.url}/{page}?{parameters}")
            self._base = base
        while True:
            asked = self._asked
            svg, below, _ = self.tab.evaluate(f"() => ({SAVED})({BELOW})")
            if self._asked == asked and not self._waiting:
                return svg, below

    def _ask(self, request: Request) -> None:
        self._asked += 1
        self._waiting.add(request)

    def _hear(self, request: Request) -> None:
        self._waiting.discard(request)


@contextmanager
def app() -> Iterator[tuple[Page, str]]:
    """A server of its own and a tab with the app; a test has those that all tests share."""
    build()
    with TemporaryDirectory() as folder, shared(Path(folder)) as url, chromium() as browser:
        tab = browser.new_context(viewport=SIZE).new_page()
        tab.goto(url)
        settle(tab)
        yield tab, url


BELOW_PARTS = ("attention_arithmetic", "next_token_arithmetic")
UNHELD = ("texts", "words", "figure", "states")
DRAWN = ("type", "name", "x", "y", "z", "text", "customdata", "hovertext", "base", "width", "error_y", "marker", "line")
"""What of plotly's traces is data, or its colour."""


def answers(page: str, **parameters: str) -> dict[str, Any]:
    """All that a page is given to show at an address, by name.

    `table/…` is a download, by its columns; `figure/…` a figure of plotly's; `below/…` a text below it;
    `html/…` a table of the page; `part/…` what a browser-side part is sent, in all its states.
    """
    found: dict[str, Any] = {}

    def keep(this: Shown) -> None:
        found["place"] = {name: getattr(this.view, name) for name in PLACE}
        for each in downloads.tables(this):
            found[f"table/{each.file}"] = table(each.make())
        for at, drawn in enumerate(this.drawn):
            if drawn.kind == "html":
                found[f"html/{at}"] = _texts_of(str(drawn.content))
                continue
            payload = drawn.payload()
            if drawn.kind == "figure":
                found[f"figure/{drawn.name}"] = _drawn(figure_of(payload))
            found[f"part/{drawn.name}"] = _numbers_of(payload)
            for address in drawn.more:
                asked = dict(parse_qsl(address.partition("?")[2]))
                if all(asked.get(name) in (None, str(found["place"][name])) for name in ("layer", "head")):
                    for name, value in _numbers_of(answer_at(address)).items():
                        had = found[f"part/{drawn.name}"].get(name)
                        both = isinstance(had, dict) and isinstance(value, dict)
                        found[f"part/{drawn.name}"][name] = {**had, **value} if both else value

    few = mock.patch("pages.why.source_words.has_many_readers", lambda: False)  # however many cases came before
    with mock.patch("viz_core.app.frame.downloads", keep), few:
        app = opened(next(path for path in FILES if Path(path).parent.name == page), **parameters)
    place = found.pop("place")
    for payload in payloads(app, "arithmetic"):
        about = unpacked(payload)[1]
        values = known(about, place)
        keys = {each["name"]: fill(each["template"], values) for each in about["sections"]}
        found |= {f"below/{name}": fill(about["texts"][key], values) for name, key in keys.items() if key in about["texts"]}
    for name in BELOW_PARTS:
        for payload in payloads(app, name):
            found[f"part/{name}"] = _numbers_of(payload)
    return found


def _numbers_of(payload: bytes) -> dict[str, Any]:
    """Its arrays, payloads inside it as well, and what else it holds but the page's own words and figures, which are held apart."""
    arrays, about = unpacked(payload)
    inner = {name: _numbers_of(array.tobytes()) for name, array in arrays.items() if name in ("left", "right")}
    return {**arrays, **inner, **{name: value for name, value in about.items() if name not in UNHELD}}


def _drawn(figure: dict[str, Any]) -> dict[str, Any]:
    axes = {name: value for name, value in figure["layout"].items() if name.startswith(("xaxis", "yaxis", "annotations", "shapes"))}
    return {"traces": [{name: trace[name] for name in DRAWN if name in trace} for trace in figure["data"]], **axes}


def _texts_of(html: str) -> list[str]:
    pieces = (unescape(piece).strip() for piece in re.split(r"<style.*?</style>|<[^>]*>", html, flags=re.DOTALL))
    return [piece for piece in pieces if piece]
