"""The app in a browser: to open an address, to wait until it rests, and to read what it says of itself."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Page, expect
from streamlit.proto.BackMsg_pb2 import BackMsg

_TREE = ast.parse((Path(__file__).parents[2] / "pages" / "tour.py").read_text())
_PAGES = next(ast.literal_eval(node.value) for node in _TREE.body if isinstance(node, ast.Assign))
NAMES = [name for names in _PAGES.values() for name in names]
"""Of all pages, in the order of the tour."""
REST = 900
"""ms: longer than the browser waits until it writes the address."""
Frames = tuple[list[BackMsg], list[int]]
"""Messages that ask the server for a run, and the sizes of all that come from it."""
RESTED = """() => new Promise((done) => {
  const changed = () => { looks = 0; };
  const watch = new MutationObserver(changed);
  watch.observe(document, { subtree: true, attributes: true, attributeFilter: ["data-test-script-state"] });
  let looks = 0;
  const look = () => {
    const state = document.querySelector("[data-testid=stApp]")?.getAttribute("data-test-script-state");
    const alive = globalThis[Symbol.for("viz_core.store")]?.alive || !document.querySelector(".st-key-_part_player"); // keys count
    const isOver = alive && !document.documentElement.hasAttribute("data-fetching");
    const rests = isOver && (state === null || state === "notRunning") && !document.querySelector("[data-testid=stSkeleton]");
    looks = rests ? looks + 1 : 0;
    if (looks < 5) return setTimeout(look, 80); // together longer than the store waits until it tells Python of a change
    watch.disconnect();
    done(true);
  };
  look();
})"""
"""Until the script has not run, and nothing was a placeholder, five times in a row; while the page is busy it does not look."""

TURN = """(address) => new Promise((done, fail) => {
  setTimeout(fail, 60000, "nothing was sent");
  const { send } = WebSocket.prototype;
  WebSocket.prototype.send = function (data) {
    WebSocket.prototype.send = send;
    this.addEventListener("message", () => done(), { once: true });
    return send.call(this, data);
  };
  history.pushState(null, "", address);
  dispatchEvent(new PopStateEvent("popstate"));
})"""
"""To an address within the page, until the server begins to answer: a run may be too short for its state to be seen."""


def url_path(name: str) -> str:
    """Where a page stands in the address."""
    return "" if name == "overview" else name


def settle(page: Page) -> None:
    """Waits until the script has run and nothing is on its way."""
    page.wait_for_function(RESTED, timeout=120_000)


def open_at(page: Page, address: str) -> None:
    """Opens an address and waits; fails if the page failed."""
    page.goto(address)
    settle(page)
    expect(page.locator("[data-testid=stException]")).to_have_count(0)


def turn_to(page: Page, address: str) -> None:
    """Goes from the open app to an address as Back does, which takes a third of a load, and waits; fails if the page failed."""
    page.evaluate(TURN, address)
    settle(page)
    expect(page.locator("[data-testid=stException]")).to_have_count(0)


def go_to(page: Page, name: str) -> None:
    """Goes to a page through the navigation."""
    page.locator(".viz-rail a").nth(NAMES.index(name)).click()
    page.wait_for_url(re.compile(rf"/{url_path(name)}(\?|$)"))
    settle(page)


def query(page: Page) -> dict[str, str]:
    """The parameters of the address."""
    return {name: values[0] for name, values in parse_qs(urlsplit(page.url).query).items()}


def step_label(page: Page) -> tuple[int, int]:
    """The step that is shown, and how many there are."""
    numbers = re.findall(r"\d+", page.locator(".viz-player .label").inner_text())
    return int(numbers[0]), int(numbers[1])


def follows(page: Page, **parameters: str | None) -> None:
    """Waits until the address holds these parameters. None: until it names none, as for what a page shows first."""
    page.wait_for_function(
        "wanted => Object.entries(wanted).every(([name, value]) => new URLSearchParams(location.search).get(name) === value)",
        arg=parameters,
    )
    settle(page)
