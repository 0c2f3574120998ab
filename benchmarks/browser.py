"""Chromium, and pages in it that note when keys are pressed, when frames are painted, and what leaves them."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, ViewportSize

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-sync"]
SIZE: ViewportSize = {"width": 1280, "height": 720}
PATIENCE = 120  # seconds for a page
# The link to the next page ends every page: once it is there, everything above has been drawn.
READY = """() => document.querySelector('main h1') && document.querySelector('.way-on .to-page')
    && !document.documentElement.hasAttribute('data-busy')"""
# Each painted frame is noted by the page that is measured: what it shows, and when.
WATCH = """() => {
    const send = WebSocket.prototype.send;
    window.watched = { sent: [], pressed: [], painted: [] };
    WebSocket.prototype.send = function (data) {
        watched.sent.push([performance.now(), data.size ?? data.byteLength ?? data.length]);
        return send.call(this, data);
    };
    addEventListener("keydown", (event) => watched.pressed.push(event.timeStamp), true);
}"""
FORGET = "for (const noted of Object.values(watched)) noted.length = 0"


def chromium_path() -> str | None:
    """The path of the system's Chromium, if it has one."""
    names = "chromium", "chromium-browser", "google-chrome", "chromium-headless-shell"
    return next((path for path in map(shutil.which, names) if path), None)


@contextmanager
def chromium() -> Iterator[Browser]:
    """Chromium, running."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=FLAGS)
        yield browser
        browser.close()


def watched(browser: Browser, url: str, *drawn: str) -> Page:
    """A page that is being watched from its first line on, once all these functions of it say that it is drawn."""
    page = browser.new_page(viewport=SIZE)
    page.add_init_script(f"({WATCH})()")
    page.goto(url, timeout=1000 * PATIENCE)
    for condition in drawn:
        page.wait_for_function(condition, timeout=1000 * PATIENCE)
    return page


def answer(page: Page, press: Callable[[], None]) -> float:
    """Milliseconds from a key press to the first frame that is noted after it."""
    page.evaluate(FORGET)
    press()
    page.wait_for_function("watched.painted.length", timeout=1000 * PATIENCE)
    pressed, painted = page.evaluate("[watched.pressed[0], watched.painted[0][1]]")
    return float(painted - pressed)
