"""The app in a browser: to open an address, to wait until it rests, and to read what it says of itself."""

import re
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Page, TimeoutError, expect
from streamlit.proto.BackMsg_pb2 import BackMsg

Frames = tuple[list[BackMsg], list[int]]
"""Messages that ask the server for a run, and the sizes of all that come from it."""
RESTED = """() => new Promise((done) => {
  const idle = () => new Promise((rested) => requestAnimationFrame(() => requestIdleCallback(rested, { timeout: 1000 })));
  const isAtRest = () => {
    const store = globalThis[Symbol.for("viz_core.store")];
    const state = document.querySelector("[data-testid=stApp]")?.getAttribute("data-test-script-state") ?? "notRunning";
    const isRunning = state !== "notRunning" || document.querySelector("[data-testid=stSkeleton]");
    if (!store?.drawn && !document.querySelector("[data-testid=stException]")) return false; // no run has begun
    const hasKeys = store?.alive || !document.querySelector(".st-key-_part_player");
    return hasKeys && !isRunning && !document.documentElement.hasAttribute("data-busy");
  };
  let looks = 0;
  const watch = new MutationObserver(() => { looks = 0; });
  watch.observe(document, { subtree: true, attributes: true, attributeFilter: ["data-test-script-state", "data-busy"] });
  const look = async () => {
    // what was sent before has arrived, however busy the app's server is
    const app = document.querySelector("[data-testid=stApp]");
    if (!looks && app) await fetch("parts/alive").then((answer) => answer.text(), () => {});
    looks = isAtRest() ? looks + 1 : 0;
    if (looks > 2) {
      watch.disconnect();
      return done(true);
    }
    if (!looks) await new Promise((rested) => setTimeout(rested, 50));
    await idle(); // what has come is drawn and asks for its data
    look();
  };
  look();
})"""
"""Until no run is asked for or goes on, nothing is on its way, and the address is that of what is shown: so it is seen once, and
after two frames in each of which the browser came to have nothing to do, in which a part that has come asks for its data.
"""
WHY = """async () => ({
  ...document.querySelector("[data-testid=stApp]")?.dataset,
  known: globalThis[Symbol.for("viz_core.store")]?.isKnown(),
  alive: globalThis[Symbol.for("viz_core.store")]?.alive,
  drawn: { ...globalThis[Symbol.for("viz_core.store")]?.drawn, pages: null, first: null },
  busy: document.documentElement.getAttribute("data-busy"),
  skeletons: document.querySelectorAll("[data-testid=stSkeleton]").length,
  says: Array.from(document.querySelectorAll("[data-testid=stException], [role=alert], [role=dialog]"), (node) =>
    node.innerText.slice(0, 300)),
  answers: await Promise.race([
    fetch("parts/alive").then(({ status }) => status, String),
    new Promise((done) => setTimeout(done, 5000, "no answer")),
  ]),
})"""
"""What a page that does not come to rest waits for."""

TURN = "(address) => { history.pushState(null, '', address); dispatchEvent(new PopStateEvent('popstate')); }"
"""To an address within the page."""


@dataclass(frozen=True)
class Source:
    """The pages as the app or a site gives them, in a tab.

    Attributes:
        root: the address of the first page, with a slash at its end.
        asked: what the tab has asked for: the app's runs, with what they sent, or files of the site.
    """

    tab: Page
    root: str
    is_site: bool = False
    asked: list[Any] = field(default_factory=list)

    def at(self, view: str) -> str:
        """The address of a view, such as `output?step=2`."""
        name, _, parameters = view.partition("?")
        return f"{self.root}{url_path(name)}{'/' if self.is_site and url_path(name) else ''}?{parameters}"

    def turn(self, view: str) -> Page:
        """Goes to a view as Back does, and waits."""
        turn_to(self.tab, self.at(view))
        return self.tab

    def has(self, name: str) -> bool:
        """Whether it has this page."""
        return name in self.tab.evaluate("Object.values(globalThis[Symbol.for('viz_core.store')].drawn.pages)")

    def left_out(self) -> str:
        """What the page says if it leaves the view, or a part of it, to the app, or shows it for another sentence; else ""."""
        said = self.tab.locator(".at-absent").or_(self.tab.locator(".at-notes").get_by_text("streamlit run"))
        return " ".join(said.all_inner_texts()) if self.is_site else ""


def url_path(name: str) -> str:
    """Where a page stands in the address."""
    return "" if name == "overview" else name


def settle(page: Page) -> None:
    """Waits until the script has run and nothing is on its way."""
    try:
        page.wait_for_function(RESTED, timeout=120_000)
    except TimeoutError as error:
        raise AssertionError(f"{page.url} does not come to rest: {page.evaluate(WHY)}") from error


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
    page.locator(f".viz-rail a[href*='/{url_path(name)}']").first.click()
    page.wait_for_url(re.compile(rf"/{url_path(name)}/?(\?|$)"))
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
