"""The peers of stepping: a plotly heatmap by round trip, and bertviz's model view, which has no steps."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median
from typing import TYPE_CHECKING

import torch

from benchmarks.browser import SIZE, answer, chromium, watched
from benchmarks.measure import Row
from benchmarks.server import answers, server
from benchmarks.stepping import PRESSES
from benchmarks.subject import pair
from pages.heads.bertviz import libraries
from viz_core.checkpoint import Checkpoint
from viz_core.explain import explain

if TYPE_CHECKING:
    from playwright.sync_api import Browser

# Notes when another step is drawn, which the title of the chart says.
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


def rows(checkpoint: Checkpoint, presses: int = PRESSES) -> Iterator[Row]:
    """One row for each peer."""
    with chromium() as browser:
        with server("benchmarks/plotly_page.py") as (_, url):
            answers(url)
            yield from plotly(browser, url, max(5, presses // 5))
        yield from bertviz(browser, checkpoint, max(3, presses // 20))


def plotly(browser: Browser, url: str, presses: int) -> Iterator[Row]:
    """One heatmap of 20 × 20 by round trip; each press waits for the one before, for fast ones are lost."""
    page = watched(browser, url, "document.querySelector('.gtitle')")
    page.wait_for_timeout(1500)
    page.evaluate(TITLE)
    times = []
    for _ in range(presses):
        times.append(answer(page, lambda: page.keyboard.press("ArrowRight")))
        page.wait_for_timeout(200)
    page.close()
    yield Row("one plotly heatmap of 20 × 20 by round trip: key to painted frame, median", median(times))


def bertviz(browser: Browser, checkpoint: Checkpoint, rounds: int) -> Iterator[Row]:
    """The model view of bertviz for the same cross attention, from its page to all of it drawn."""
    from bertviz import model_view  # type: ignore[import-untyped]

    text, target = pair(checkpoint, 20)
    ex = explain(checkpoint, text, target)
    weights = [ex.trace[f"decoder.{layer}.cross_attn.weights"] for layer in range(checkpoint.config.n_layers)]
    own = [torch.zeros(1, checkpoint.config.n_heads, 20, 20)] * checkpoint.config.n_layers
    html = model_view(
        encoder_attention=own, decoder_attention=own, cross_attention=weights, encoder_tokens=ex.source.labels,
        decoder_tokens=ex.target.labels, html_action="return",
    ).data  # fmt: skip
    shim = """window.require = window.requirejs = Object.assign(
        (names, run) => run?.(...names.map((name) => (name === "d3" ? d3 : jQuery))), { config() {} });"""
    times = []
    for _ in range(rounds):
        page = browser.new_page(viewport=SIZE)
        page.set_content("<!doctype html><body></body>")
        for library in (*libraries(), shim):
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
