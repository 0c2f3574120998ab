"""What the browser is sent of every step: the numbers of that step, as they are computed apart from the page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from pages.decoding.compute import SamplingOptions, draw
from pages.decoding.truncation import truncation
from tests.pages.recorded import recorded
from tests.pages.test_all_pages import opened
from tests.payloads import unpacked
from tests.plots import below
from viz_core.app.markup import number
from viz_core.app.page import Page
from viz_core.checkpoint import Checkpoint
from viz_core.explain import explain, traced_pass
from viz_core.figures.base import percent

PAGE = "decoding/page.py"
TEXT = "She speaks French at home and German at school."
LONG = "If I had known that you were coming, I would have baked a cake for all of your friends."


@pytest.fixture
def follows(monkeypatch: pytest.MonkeyPatch) -> Iterator[set[str]]:
    """What of the view the page was drawn from in its last run."""
    found: set[str] = set()
    kept = Page.keep_view_options

    def keep(page: Page) -> None:
        found.clear()
        found.update(page.follows)
        kept(page)

    monkeypatch.setattr(Page, "keep_view_options", keep)  # called when all of the page is drawn
    yield found


def arrived(**parameters: str) -> AppTest:
    return opened(PAGE, **{"text": TEXT} | parameters)


@pytest.mark.parametrize(
    "parameters",
    [
        {"case": "beam", "cell": "3-2"},
        {"case": "sampling", "step": "3"},
        {"case": "sampling", "draw": "2", "first": "cut"},
        {"case": "sampling", "edits": "force.2.Hund"},
        {"case": "non_autoregressive", "step": "2"},
        {"case": "non_autoregressive", "decoder": "plain"},
        {"case": "copying", "step": "4"},
        {"case": "copying", "text": "Have you ever been to Zorvana?", "step": "2", "cell": "5-1"},
        {"case": "copying", "text": "Zorvana " * 12},
    ],
)
def test_python_draws_from_nothing_that_the_keys_change(parameters: dict[str, str], follows: set[str]) -> None:
    arrived(**parameters)
    assert not follows


def cut(log_probs: np.ndarray[Any, Any], temperature: float, top_k: int, top_p: float) -> np.ndarray[Any, Any]:
    """Temperature, top-k, top-p and renormalization in a few lines of numpy."""
    p = np.exp(log_probs.astype(float) / temperature)
    p /= p.sum()
    order = np.argsort(-p, kind="stable")
    kept = order[:top_k]
    share = p[kept] / p[kept].sum()
    kept = kept[: np.searchsorted(share.cumsum(), top_p) + 1]
    after = np.zeros_like(p)
    after[kept] = p[kept] / p[kept].sum()
    return after


def test_each_step_has_its_own_distribution(shipped: Checkpoint) -> None:
    app = arrived(case="sampling", temp="1.4", top_k="40", top_p="0.8")
    ex = explain(shipped, TEXT)
    steps, (tensors, about) = ex.steps, unpacked(truncation(shipped, ex, 1.4, 40, 0.8, 0, 0))
    for index in (0, 2, len(steps) - 1):
        step = steps[index]
        after = cut(step.log_probs, 1.4, 40, 0.8)
        best = np.argsort(-step.log_probs, kind="stable")[:10]
        text = below(app, step=index)["arithmetic"]
        assert tensors["after"][index] == pytest.approx([*after[best], after.sum() - after[best].sum()], abs=1e-6)
        assert tensors["cut"][index].tolist() == [np.count_nonzero(after), -1]
        assert about["titles"][index].startswith(f"Step {index + 1}, after")
        assert f"Kept: {np.count_nonzero(after)} of 8,000 tokens. For «{step.chosen.text}»" in text
        assert f"\\ln p = {number(float(step.log_probs.max()))}$" in text
        assert rf"\text{{{percent(float(after[best[0]]))}}}".replace("%", "\\%") in text


def test_a_draws_distribution_is_the_one_after_its_own_words(shipped: Checkpoint) -> None:
    ex = explain(shipped, TEXT)
    drawn = draw(shipped, ex, SamplingOptions(), 0, 10)[2]
    trace = traced_pass(shipped, [ex.source.ids], [(shipped.config.bos_id, *drawn.ids[:-1])])
    app = arrived(case="sampling", draw="3")
    for step in (0, 4, min(len(drawn.ids), len(ex.steps)) - 1):
        log_probs = trace.array("output.log_probs")[step]
        told = below(app, step=step)
        assert f"p = {number(float(np.log(np.exp(log_probs.astype(float)).max())))}$" in told["arithmetic"]
        assert f"Draw 3 used the random number {number(drawn.dice[step])} at step {step + 1}" in told["told"]
        rank = 1 + int((log_probs > log_probs[drawn.ids[step]]).sum())
        assert f"rank {rank:,}: the model itself gives it {percent(drawn.before[step])}" in told["told"]


def test_the_download_is_of_the_step_that_is_shown(monkeypatch: pytest.MonkeyPatch, shipped: Checkpoint) -> None:
    found = recorded(monkeypatch, "decoding", text=TEXT, case="sampling", step="4")
    assert "The distribution of step 4 and its truncation" in found.labels
    p = np.exp(explain(shipped, TEXT).steps[3].log_probs.astype(float))
    assert found.column("cut", "probability")[:5] == pytest.approx(sorted(p)[::-1][:5])


@pytest.mark.parametrize("case", ["beam", "sampling", "non_autoregressive", "copying"])
def test_all_states_together_are_small(case: str) -> None:
    app = arrived(case=case)
    names = ("viz_core_plot", "viz_core_tables", "viz_core_arithmetic", "viz_core_beam_tree")
    parts = [each.proto for each in app.get("bidi_component") if each.proto.component_name in names]
    assert sum(len(part.bytes) for part in parts) < 150_000, {part.component_name: len(part.bytes) for part in parts}
