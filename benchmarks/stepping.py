"""Stepping in a real browser: from the key press to the painted frame, beside a plotly heatmap by round trip and bertviz."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode

import torch

from benchmarks import server
from benchmarks.measure import Row, alone
from viz_core.checkpoint import Checkpoint
from viz_core.explain import explain
from viz_core.payload.stage import attention_payload

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

HERE = Path(__file__).parent
WORDS = "the old man saw a small dog and the young girl gave a big book to her good friend in the house"
GERMAN = "der alte Mann sah einen kleinen Hund und das junge Mädchen gab ihrem guten Freund ein Buch in dem großen Haus"
PRESSES = 100
RATE = 30  # presses a second

# Counts what leaves the page, and notes for each press its own time and that of the frame after the one that painted it.
WATCH = """() => {
    const send = WebSocket.prototype.send;
    window.watched = { sent: [], pressed: [], painted: [] };
    WebSocket.prototype.send = function (data) {
        watched.sent.push([performance.now(), data.size ?? data.byteLength ?? data.length]);
        return send.call(this, data);
    };
    addEventListener("keydown", (event) => watched.pressed.push(event.timeStamp), true);
}"""
STAGE = """() => [...document.querySelectorAll("*")].some((node) => node.shadowRoot?.querySelector(".viz-stage canvas"))"""
LISTEN = """() => {
    const store = globalThis[Symbol.for("viz_core.store")];
    store.subscribe((view, before) => {
        const painted = performance.now();
        if (view.step !== before.step) requestAnimationFrame(() => watched.painted.push([view.step, painted, performance.now()]));
    });
}"""
# Notes when the stage has drawn another sentence than now: two frames after it was handed over.
ANOTHER = """() => {
    const holder = [...document.querySelectorAll("*")].find((node) => node.shadowRoot?.querySelector(".viz-stage"));
    const stage = holder.shadowRoot.querySelector(".viz-stage"), before = stage.shown;
    const look = () => {
        if (stage.shown === before) return requestAnimationFrame(look);
        requestAnimationFrame(() => requestAnimationFrame(() => watched.painted.push(["", performance.now()])));
    };
    look();
}"""
# The same for a page that Streamlit redraws: the title of the chart says the step.
TITLE = """() => {
    let last = "";
    new MutationObserver(() => {
        const title = document.querySelector(".gtitle")?.textContent ?? "";
        if (title !== last) {
            last = title;
            requestAnimationFrame(() => requestAnimationFrame(() => watched.painted.push([title, performance.now()])));
        }
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
}"""


@dataclass(frozen=True)
class Presses:
    """What a row of key presses did.

    Attributes:
        times: ms from each press to the frame after its paint.
        lost: presses that did not count: by so much the painted step was behind the presses before it.
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
    """Our stage at 20 × 20 and 100 × 100, a new sentence, a plotly heatmap, bertviz's model view, all in one run."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=server.browser_path(), args=server.FLAGS)
        with server.server() as (_, url):
            server.answers(url)
            yield from ours(browser, checkpoint, url, presses)
            yield from sentences(browser, checkpoint, url, max(5, presses // 10))
        with server.server("benchmarks/plotly_page.py") as (_, url):
            server.answers(url)
            yield from plotly(browser, url, max(5, presses // 5))
        yield from bertviz(browser, checkpoint, max(3, presses // 20))
        browser.close()


def ours(browser: Browser, checkpoint: Checkpoint, url: str, presses: int) -> Iterator[Row]:
    """All layers and heads of the cross attention shown, one step for each press."""
    for length, aim in ((20, 33), (100, 66)):
        text, target = pair(checkpoint, length)
        page = watched(
            browser, f"{url}/cross_attention?{urlencode({'text': text, 'target': target, 'show': 'model'}, quote_via=quote)}"
        )
        page.evaluate(LISTEN)
        done = press(page, presses, length)
        what = f"stage: key to painted frame, 4 × 8 maps of {length} × {length}"
        yield Row(f"{what}, median", median(done.times), aim=aim)
        if length == 20:
            yield Row(f"{what}, 95 of 100", done.p95, aim=50)
            yield Row("stage: sent between press and paint", done.sent, aim=0, unit="bytes")
            yield Row(f"stage: presses lost of {presses} at {RATE} a second", done.lost, aim=0, unit="")
        page.close()


def watched(browser: Browser, url: str, stage: bool = True) -> Page:
    """A page that is being watched from its first line on; with a stage, once that is drawn."""
    page = browser.new_page(viewport={"width": 1280, "height": 720})
    page.add_init_script(f"({WATCH})()")
    page.goto(url, timeout=1000 * server.PATIENCE)
    if stage:
        page.wait_for_function(STAGE, timeout=1000 * server.PATIENCE)
        page.wait_for_function(server.READY, timeout=1000 * server.PATIENCE)
    return page


def press(page: Page, presses: int, steps: int) -> Presses:
    """Presses at RATE, on to the last step and back again."""
    page.wait_for_timeout(1000)
    page.evaluate("watched.pressed.length = watched.painted.length = watched.sent.length = 0")
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
    page = watched(browser, f"{url}/cross_attention?show=model")
    box, times = page.get_by_role("textbox", name="Sentence in English"), []
    for number in server.NUMBERS[:count]:
        box.fill(f"{WORDS.capitalize()} of {number} rooms.")
        page.evaluate("watched.pressed.length = watched.painted.length = 0")
        page.evaluate(ANOTHER)
        box.press("Enter")
        page.wait_for_function("watched.painted.length")
        seen = page.evaluate("[watched.pressed[0], watched.painted[0][1]]")
        times.append(seen[1] - seen[0])
        page.wait_for_function(server.READY)
    page.close()
    yield Row("stage: Enter to the first picture of a new sentence, median", median(times), aim=600)

    def compute() -> None:
        attention_payload(explain(checkpoint, f"{WORDS.capitalize()}."), "cross")

    yield Row("  of which Python computes", alone(compute, count), aim=150)


def plotly(browser: Browser, url: str, presses: int) -> Iterator[Row]:
    """One heatmap of 20 × 20 by round trip; each press waits for the one before, for fast ones are lost."""
    page = watched(browser, url, stage=False)
    page.wait_for_selector(".gtitle")
    page.wait_for_timeout(1500)
    page.evaluate(TITLE)
    times = []
    for _ in range(presses):
        page.evaluate("watched.pressed.length = watched.painted.length = 0")
        page.keyboard.press("ArrowRight")
        page.wait_for_function("watched.painted.length", timeout=10_000)
        seen = page.evaluate("[watched.pressed[0], watched.painted[0][1]]")
        times.append(seen[1] - seen[0])
        page.wait_for_timeout(200)
    page.close()
    yield Row("one plotly heatmap of 20 × 20 by round trip: key to painted frame, median", median(times))


def bertviz(browser: Browser, checkpoint: Checkpoint, rounds: int) -> Iterator[Row]:
    """The model view of bertviz for the same cross attention, from its page to all of it drawn. It has no steps."""
    modules = HERE / "node_modules"
    if not modules.exists():
        return
    from bertviz import model_view  # type: ignore[import-untyped]

    text, target = pair(checkpoint, 20)
    ex = explain(checkpoint, text, target)
    weights = [ex.trace[f"decoder.{layer}.cross_attn.weights"] for layer in range(checkpoint.config.n_layers)]
    own = [torch.zeros(1, checkpoint.config.n_heads, 20, 20)] * checkpoint.config.n_layers
    html = model_view(
        encoder_attention=own, decoder_attention=own, cross_attention=weights, encoder_tokens=ex.source.labels,
        decoder_tokens=ex.target.labels, html_action="return",
    ).data  # fmt: skip
    libraries = [(modules / "d3/dist/d3.min.js").read_text("utf-8"), (modules / "jquery/dist/jquery.min.js").read_text("utf-8")]
    shim = """window.require = window.requirejs = Object.assign(
        (names, run) => run?.(...names.map((name) => (name === "d3" ? d3 : jQuery))), { config() {} });"""
    times = []
    for _ in range(rounds):
        page = browser.new_page(viewport={"width": 1280, "height": 720})
        page.set_content("<!doctype html><body></body>")
        for library in (*libraries, shim):
            page.add_script_tag(content=library)
        times.append(
            page.evaluate(
                """async html => {
                    const started = performance.now();
                    const box = document.createElement("div");
                    document.body.append(box);
                    box.append(document.createRange().createContextualFragment(html));
                    for (let tries = 0; tries < 2000 && !document.querySelector("svg line"); tries += 1) {
                        await new Promise(requestAnimationFrame);
                    }
                    await new Promise(requestAnimationFrame);
                    return document.querySelector("svg line") ? performance.now() - started : NaN;
                }""",
                html,
            )
        )
        page.close()
    yield Row("bertviz's model view of one attention, 4 × 8 of 20 × 20: to its first picture, median", median(times))


def pair(checkpoint: Checkpoint, length: int) -> tuple[str, str]:
    """A sentence and a translation of exactly so many pieces each, ⟨/s⟩ among them."""

    def cut(words: str, side: str) -> str:
        many = (f"{words} " * 8).split()
        for count in range(length, 0, -1):
            text = " ".join(many[:count])
            tokens = explain(checkpoint, text if side == "source" else "Hello.", "" if side == "source" else text)
            if len(getattr(tokens, side)) == length:
                return text
        raise ValueError(f"no text of {length} pieces among {words!r}")

    return cut(WORDS, "source"), cut(GERMAN, "target")
