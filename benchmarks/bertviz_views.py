"""How long bertviz's views of all three attentions take to their first picture: as we hand them over, and as bertviz does."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.browser import SIZE, chromium
from benchmarks.measure import Row, side_by_side
from benchmarks.subject import pair
from pages.heads.bertviz import Name, document, libraries
from viz_core.checkpoint import Checkpoint
from viz_core.explain import Explanation, explain
from viz_core.figures.palette import LIGHT

if TYPE_CHECKING:
    from playwright.sync_api import Browser

LENGTHS = (20, 40, 60)  # tokens of source and target; beyond 40 our model view leaves out the faintest lines
PICTURE = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now()))))"
SHIM = """window.require = window.requirejs = Object.assign(
    (names, run) => run?.(...names.map((name) => (name === "d3" ? d3 : jQuery))), { config() {} });"""


def rows(checkpoint: Checkpoint, rounds: int) -> Iterator[Row]:
    """For each length a row for the head view and one for the model view."""
    views: tuple[Name, ...] = ("head_view", "model_view")
    with chromium() as browser, tempfile.TemporaryDirectory() as folder:
        for length in LENGTHS:
            explanation = explain(checkpoint, *pair(checkpoint, length))
            for name in views:
                ours, other = Path(folder, f"ours-{name}.html"), Path(folder, f"bertviz-{name}.html")
                ours.write_text(document(name, explanation, LIGHT)[0], "utf-8")
                other.write_text(bertviz(name, explanation), "utf-8")
                times = side_by_side(partial(shown, browser, ours), partial(shown, browser, other), rounds)
                yield Row(f"bertviz {name.replace('_', ' ')}, {length} × {length}: to its first picture", *times)
                sizes = ours.stat().st_size / 1e6, other.stat().st_size / 1e6
                yield Row("  its text", *sizes, unit="MB")


def shown(browser: Browser, path: Path) -> None:
    """Opens a page and waits until it is painted."""
    page = browser.new_page(viewport=SIZE)
    page.goto(path.as_uri())
    page.evaluate(PICTURE)
    page.close()


def bertviz(name: str, explanation: Explanation) -> str:
    """The page that bertviz's own Python writes for the same weights, with its libraries inlined."""
    import bertviz as package

    def layers(block: str) -> list[Any]:
        return [explanation.trace[f"{block.format(layer)}.weights"] for layer in range(explanation.trace.config.n_layers)]

    html = getattr(package, name)(
        encoder_attention=layers("encoder.{}.self_attn"), decoder_attention=layers("decoder.{}.self_attn"),
        cross_attention=layers("decoder.{}.cross_attn"), encoder_tokens=explanation.source.labels,
        decoder_tokens=explanation.target.labels, html_action="return",
    ).data  # fmt: skip
    inside = "".join(f"<script>{script}</script>" for script in (*libraries(), SHIM))
    return f"<!doctype html><meta charset=utf-8><body>{inside}{html.split('</script>', 1)[1]}</body>"
