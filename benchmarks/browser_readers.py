"""Real browsers among the readers: eight presses of → within eight seconds, then another page, each in a tab of its own."""

from __future__ import annotations

import asyncio
import random
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from benchmarks.browser import FLAGS, PATIENCE, READY, SIZE, chromium_path

if TYPE_CHECKING:
    from playwright.async_api import Browser, Page

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
LINKS = "[data-testid=stSidebarNavLink]"
SHOWN = f"""(path) => location.pathname === path && ({READY})()"""


@dataclass
class Tabs:
    """What all tabs have measured, from the press or click on.

    Attributes:
        steps: seconds until it is painted.
        pages: seconds until another page is there.
        sent: messages that left the tabs while they stepped, and while they rested after it.
        errors: what did not come, or what a page said was wrong.
    """

    steps: list[float] = field(default_factory=list)
    pages: list[float] = field(default_factory=list)
    sent: int = 0
    errors: list[str] = field(default_factory=list)


async def read(count: int, url: str, until: float, tabs: Tabs) -> None:
    """So many tabs, until a time of the clock."""
    from playwright.async_api import async_playwright

    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium_path(), args=FLAGS)
        await asyncio.gather(*(_tab(browser, url, number, until, tabs) for number in range(count)))
        await browser.close()


async def _tab(browser: Browser, url: str, number: int, until: float, tabs: Tabs) -> None:
    from playwright.async_api import Error

    page, sent, dice = await browser.new_page(viewport=SIZE), [0], random.Random(number)

    def count(_: object) -> None:
        sent[0] += 1

    page.on("websocket", lambda socket: socket.on("framesent", count))
    try:
        await page.goto(url, timeout=MS * PATIENCE)
        await page.wait_for_function(READY, timeout=MS * PATIENCE)
        while time.perf_counter() < until:
            before = sent[0]
            await _step(page, until, tabs)
            tabs.sent += sent[0] - before
            await _another_page(page, dice, tabs)
    except Error as error:
        tabs.errors.append(f"browser {number}: {error.message.splitlines()[0]}")
    await page.close()


async def _step(page: Page, until: float, tabs: Tabs) -> None:
    for _ in range(STEPS):
        if time.perf_counter() > until:
            return
        painted = await page.evaluate(PRESS)
        if painted is not None:
            tabs.steps.append(painted / MS)
        await page.wait_for_timeout(MS)


async def _another_page(page: Page, dice: random.Random, tabs: Tabs) -> None:
    links = page.locator(LINKS)
    link = links.nth(dice.randrange(await links.count()))
    path = await link.evaluate("(link) => new URL(link.href).pathname")
    started = time.perf_counter()
    await link.click(timeout=MS * PATIENCE)
    await page.wait_for_function(SHOWN, arg=path, timeout=MS * PATIENCE)
    tabs.pages.append(time.perf_counter() - started)
    if wrong := await page.locator("[data-testid=stException], [data-testid=stAlertContentError]").all_inner_texts():
        tabs.errors.append(f"{path}: {wrong[0]}")
