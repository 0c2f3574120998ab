"""Vectors as coloured cells on a page. Their drawing: tests/web."""

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.driving import follows, turn_to

pytestmark = pytest.mark.e2e


def test_another_pair_of_positions_stands_in_the_address(kept: Page, server: str) -> None:
    turn_to(kept, f"{server}/positions?text=I+love+you.&show=product")
    canvas = kept.locator(".viz-vector-matrix canvas")
    canvas.focus()
    kept.keyboard.press("ArrowRight")
    follows(kept, other="4", show="product")
    expect(kept.locator(".viz-vector-matrix .reading")).to_contain_text("«4 ⟨/s⟩»")
    expect(kept.locator(".viz-vectors-arithmetic .katex").first).to_be_attached()
