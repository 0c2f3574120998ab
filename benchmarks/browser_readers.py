"""Real browsers among the readers: eight presses of → within eight seconds, then another page, each in a tab of its own."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from benchmarks.browser import FLAGS, PATIENCE, READY, SIZE, chromium_path

if TYPE_CHECKING:
    from playwright.async_api import Page

STEPS = 8
"""Presses on each page."""
MS = 1000
PRESS = """() => new Promise((done) => {
    const store = globalThis[Symbol.for("viz_core.store")], start = performance.now();
    const painted = () => requestAnimationFrame(() => { stop(); done(performance.now() - start); });
    const stop = store.subscribe(painted);
    setTimeout(() => { stop(); done(null); }, 900);
    dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
})"""
"""Presses → and gives the ms until it is painted; null where nothing moves, as behind the last step."""
LINKS = ".viz-rail a"
SHOWN = f"""(path) => location.pathname === path && ({READY})()"""


class Tabs:
    """Some tabs, and what all of them have measured, from the press or click on.

    Attributes:
        steps: seconds until it was painted.
        pages: seconds until another page was there.
        sent: messages to the server, all but one for each page change.
        errors: what did not come, or what a page said was wrong.
    """

    def __init__(self, tabs: Sequence[Page]) -> None:
        self._tabs = tabs
        self.steps: list[float] = []
        self.pages: list[float] = []
        self.sent = 0
        self.errors: list[str] = []
        for tab in tabs:
            tab.on("websocket", lambda socket: socket.on("framesent", self._count))

    def _count(self, _: object) -> None:
        self.sent += 1

    async def work(self, until: float) -> None:
        """All of them, until a time of the clock."""
        self.sent = 0
        await asyncio.gather(*(self._work(tab, random.Random(number), until) for number, tab in enumerate(self._tabs)))

    async def _work(self, tab: Page, dice: random.Random, until: float) -> None:
        from playwright.async_api import Error

        try:
            while time.perf_counter() < until:
                await self._step(tab, until)
                await self._another_page(tab, dice)
        except Error as error:
            self.errors.append(f"a browser at {tab.url}: {error.message.splitlines()[0]}")

    async def _step(self, tab: Page, until: float) -> None:
        for _ in range(STEPS):
            if time.perf_counter() > until:
                return
            painted = await tab.evaluate(PRESS)
            if painted is not None:
                self.steps.append(painted / MS)
            await tab.wait_for_timeout(MS)

    async def _another_page(self, tab: Page, dice: random.Random) -> None:
        links = tab.locator(LINKS)
        link = links.nth(dice.randrange(await links.count()))
        path = await link.evaluate("(link) => new URL(link.href).pathname")
        started = time.perf_counter()
        self.sent -= 1
        await link.click(timeout=MS * PATIENCE)
        await tab.wait_for_function(SHOWN, arg=path, timeout=MS * PATIENCE)
        self.pages.append(time.perf_counter() - started)
        if wrong := await tab.locator(".stException, .stAlertContentError").all_inner_texts():
            self.errors.append(f"{path}: {wrong[0]}")


@asynccontextmanager
async def opened(count: int, url: str) -> AsyncIterator[Tabs]:
    """So many tabs that show the first page."""
    if not count:
        yield Tabs(())
        return
    from playwright.async_api import async_playwright

    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium_path(), args=FLAGS)
        pages = [await browser.new_page(viewport=SIZE) for _ in range(count)]
        tabs = Tabs(pages)
        for page in pages:
            await page.goto(url, timeout=MS * PATIENCE)
            await page.wait_for_function(READY, timeout=MS * PATIENCE)
        yield tabs
        await browser.close()
