"""The training of a model under two keys: each press shows the next kept step, with its own numbers, also in lecture mode."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.driving import follows, query, turn_to
from viz_core.checkpoint import load
from viz_core.explain import explain
from viz_core.figures.base import percent
from viz_core.training import snapshots

pytestmark = pytest.mark.e2e
FOLDER = Path(__file__).parents[2] / "checkpoints" / "en-de-tiny"
TEXT = "I love you."


def strongest(step: int | None) -> str:
    """How the stage reads out the strongest weight of the first row in cross attention, layer 1, head 1."""
    trained = load(FOLDER)
    right = explain(trained, TEXT)
    ex = right if step is None else explain(snapshots.load_at(FOLDER, trained, step), TEXT, right.text)
    return percent(float(ex.trace.attention("cross", 0).weights[0, 0].max()))


def test_plus_and_minus_go_through_the_training(kept: Page, server: str) -> None:
    turn_to(kept, f"{server}/cross_attention?model=en-de-tiny&text=I+love+you.&snapshot=300&lecture=on")
    banner, reading = kept.locator(".st-key-_snapshot"), kept.locator(".viz-attention-view")
    expect(banner).to_contain_text("After 300 of")
    kept.keyboard.press("-")
    expect(banner).to_contain_text("After 100 of")
    expect(reading).to_contain_text(strongest(100))
    follows(kept, snapshot="100")
    for _ in range(8):
        kept.keyboard.press("+")
    expect(banner).to_have_count(0)
    expect(reading).to_contain_text(strongest(None))
    assert "snapshot" not in query(kept)
