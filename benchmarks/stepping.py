"""Stepping in a real browser: from the key press to the painted frame, and from a typed sentence to its picture."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import median, quantiles
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode

from benchmarks.browser import FORGET, READY, answer, chromium, watched
from benchmarks.measure import Row, alone
from benchmarks.server import NUMBERS, answers, server
from benchmarks.subject import WORDS, pair
from viz_core.browser.attention_payload import attention_payload
from viz_core.checkpoint import Checkpoint
from viz_core.explain import explain

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PRESSES = 100
RATE = 30  # presses a second

STAGE = """() => [...document.querySelectorAll("*")].some((node) => node.shadowRoot?.querySelector(".viz-attention-view canvas"))"""
LISTEN = """() => {
    const store = globalThis[Symbol.for("viz_core.store")];
    store.subscribe((view, before) => {
        const painted = performance.now();
        if (view.step !== before.step) requestAnimationFrame(() => watched.painted.push([view.step, painted, performance.now()]));
    });
}"""
# Notes when the stage has drawn another sentence than now: two frames after it was handed over.
ANOTHER = """() => {
    const holder = [...document.querySelectorAll("*")].find((node) => node.shadowRoot?.querySelector(".viz-attention-view"));
    const stage = holder.shadowRoot.querySelector(".viz-attention-view"), before = stage.shown;
    const look = () => {
        if (stage.shown === before) return requestAnimationFrame(look);
        requestAnimationFrame(() => requestAnimationFrame(() => watched.painted.push(["", performance.now()])));
    };
    look();
}"""


LENS = """() => [...document.querySelectorAll("*")].some((node) => node.shadowRoot?.querySelector(".lens-picture"))"""
MOVES = (
    ("it opens", [{"open": ""}, {"open": "cross"}], 400),
    ("a row is computed", [{"stage": "mix"}, {"stage": "scores", "playing": "stages"}], 1400),
)
"""Each movement: its name, the views before and after it, and its duration in ms."""
FRAMES = """([[before, after], ms]) => new Promise((done) => {
    const store = globalThis[Symbol.for("viz_core.store")];
    store.set({ ...before, playing: "" });
    setTimeout(() => {
        const start = performance.now();
        let frames = 0;
        const look = () => {
            frames += 1;
            const passed = performance.now() - start;
            if (passed < ms) requestAnimationFrame(look);
            else done((1000 * frames) / passed);
        };
        store.set(after);
        requestAnimationFrame(look);
    }, 900);
})"""
"""Returns the frames per second that the browser paints while the view changes."""


@dataclass(frozen=True)
class Presses:
    """The effect of a series of key presses.

    Attributes:
        times: ms from each press to the frame after its paint.
        lost: presses without effect: how far the painted step lagged behind the presses before it.
        sent: bytes that left the page between a press and its paint.
    """

    times: list[float]
    lost: int
    sent: int

    @property
    def p95(self) -> float:
        """The time that 95 of 100 presses keep."""
        return quantiles(self.times, n=20)[-1]


def rows(checkpoint: Checkpoint, presses: int = PRESSES) -> Iterator[Row]:
    """The stage at 20 × 20 and 100 × 100, the lens at 12 × 12 and 40 × 40, and a new sentence."""
    with chromium() as browser, server() as (_, url):
        answers(url)
        yield from steps(browser, checkpoint, url, presses)
        yield from lens(browser, checkpoint, url, presses)
        yield from sentences(browser, checkpoint, url, max(5, presses // 10))


def opened(browser: Browser, checkpoint: Checkpoint, address: str, seen: str, length: int, **view: str) -> Page:
    """A sentence of so many tokens, given with its translation, and a page that listens to what is painted."""
    text, target = pair(checkpoint, length)
    parameters = urlencode({"text": text, "target": target, **view}, quote_via=quote)
    page = watched(browser, f"{address}?{parameters}", seen, READY)
    page.evaluate(LISTEN)
    return page


def steps(browser: Browser, checkpoint: Checkpoint, url: str, presses: int) -> Iterator[Row]:
    """All layers and heads of the cross attention shown, one step for each press."""
    for length, aim in ((20, 33), (100, 66)):
        page = opened(browser, checkpoint, f"{url}/cross_attention", STAGE, length, show="model")
        done = press(page, presses, length)
        what = f"stage: key to painted frame, 4 × 8 maps of {length} × {length}"
        yield Row(f"{what}, median", median(done.times), aim=aim)
        if length == 20:
            yield Row(f"{what}, 95 of 100", done.p95, aim=50)
            yield Row("stage: sent between press and paint", done.sent, aim=0, unit="bytes")
            yield Row(f"stage: presses lost of {presses} at {RATE} a second", done.lost, aim=0, unit="")
        page.close()


def lens(browser: Browser, checkpoint: Checkpoint, url: str, presses: int) -> Iterator[Row]:
    """Cross attention opened on the overview: one step for each press, and frames while a block opens and a stage moves."""
    for length, aim, least in ((12, 33, 50), (40, 66, 30)):
        page = opened(browser, checkpoint, f"{url}/", LENS, length, open="cross")
        done = press(page, presses, length)
        what = f"lens of {length} × {length}"
        yield Row(f"{what}: key to painted frame, median", median(done.times), aim=aim)
        yield Row(f"{what}: presses lost of {presses} at {RATE} a second", done.lost, aim=0, unit="")
        for name, change, ms in MOVES:
            rate = median(page.evaluate(FRAMES, [change, ms]) for _ in range(5))
            yield Row(f"{what}: frames a second while {name} (at least {least})", rate, unit="")
        page.close()


def press(page: Page, presses: int, steps: int) -> Presses:
    """Presses at RATE, on to the last step and back again."""
    page.wait_for_timeout(1000)
    page.evaluate(FORGET)
    wanted, at, by = [], 0, 1
    for _ in range(presses):
        by = -1 if at == steps - 1 else 1 if at == 0 else by
        at += by
        wanted.append((at, "ArrowRight" if by > 0 else "ArrowLeft"))
    started = time.perf_counter()
    for i, (_, key) in enumerate(wanted):
        time.sleep(max(0.0, started + i / RATE - time.perf_counter()))
        page.keyboard.press(key)
    page.wait_for_timeout(150)  # less than until what has settled is sent
    seen: dict[str, Any] = page.evaluate("watched")
    times, sent, lost = [], 0, 0
    for when in seen["pressed"]:
        _, _, after = next((paint for paint in seen["painted"] if paint[1] >= when), (0, 0, float("inf")))
        times.append(after - when)
        sent += sum(size for left, size in seen["sent"] if when <= left <= after)
    for step, painted, _ in seen["painted"]:
        before = sum(when <= painted for when in seen["pressed"])
        lost = max(lost, abs(wanted[before - 1][0] - step))
    return Presses(times, lost + presses - len(times), sent)


def sentences(browser: Browser, checkpoint: Checkpoint, url: str, count: int) -> Iterator[Row]:
    """From Enter to the first picture of a sentence that nobody has typed before; and what Python computes of that."""
    page = watched(browser, f"{url}/cross_attention?show=model", STAGE, READY)
    box, times = page.get_by_role("textbox", name="Source"), []
    for number in NUMBERS[:count]:
        page.keyboard.press("/")
        box.fill(f"{WORDS.capitalize()} of {number} rooms.")
        page.evaluate(ANOTHER)
        times.append(answer(page, lambda: box.press("Enter")))
        page.wait_for_function(READY)
    page.close()
    yield Row("stage: Enter to the first picture of a new sentence, median", median(times), aim=600)

    def compute() -> None:
        attention_payload(explain(checkpoint, f"{WORDS.capitalize()}."), "cross")

    yield Row("  of which Python computes", alone(compute, count), aim=150)
