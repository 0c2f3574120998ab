"""Vectors as coloured cells in a real browser: which way round they are, whose row is framed, and what a click does."""

from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.e2e import bare
from tests.e2e.driving import follows, turn_to
from viz_core import Explanation, explain
from viz_core.browser.vectors_payload import vector_matrix_payload
from viz_core.checkpoint import Checkpoint
from viz_core.figures.palette import LIGHT

pytestmark = pytest.mark.e2e
ROWS = np.random.default_rng(5).normal(size=(6, 32)).astype(np.float32)
LABELS = ["the", "<b>x</b>", "the", "\0", "", ""]


@pytest.fixture(scope="module")
def explained(checkpoint: Checkpoint) -> Explanation:
    return explain(checkpoint, "The otter paints the map.")


def mount_matrix(tab: Page, explained: Explanation, side: str = "source", column: int | None = None, **view: Any) -> None:
    payload = vector_matrix_payload(
        ROWS[:, :6] if column is not None else ROWS, LABELS, walked=4, side=side, titles={"rows": "tokens", "columns": "dims"},
        ends=(-2.0, 2.0) if column is None else (0.0, 5.0), first=0, column=column,
    )  # fmt: skip
    bare.mount(tab, "vector_matrix", payload, explained, view, page="embeddings", width=1000)


def framed(tab: Page) -> list[dict[str, float]]:
    frames = [node for _, node in bare.elements(tab, "rect") if node.get("stroke") == LIGHT.ink]
    return [{name: float(node[name]) for name in ("x", "y", "width", "height")} for node in frames]


def number(value: float, digits: int = 4) -> str:
    return f"{value:.{digits}f}".replace("-", "−")


def test_rows_are_tokens_and_the_frame_follows_the_one_that_is_looked_at(tab: Page, explained: Explanation) -> None:
    mount_matrix(tab, explained, token=1)
    (one,) = framed(tab)
    said = bare.texts(tab)
    assert [text for text in said if text in ("the", "<b>x</b>", "⟨00⟩")] == ["the", "<b>x</b>", "the", "⟨00⟩"], "from above"
    assert {"tokens", "dims", "0", "31", "≤ −2", "≥ 2"} <= {*said}
    expect(tab.locator(".reading")).to_have_text("«<b>x</b>»: " + ", ".join(number(value, 2) for value in ROWS[1, :4]) + ", …")
    tab.evaluate("store.set({ token: 3 })")
    bare.frame(tab)
    (other,) = framed(tab)
    assert other["y"] == pytest.approx(one["y"] + 2 * one["height"], abs=0.2) and other["width"] == one["width"]
    tab.evaluate("store.limits = { ...store.limits, tokens: 6 }; store.set({ token: 5 })")
    bare.frame(tab)
    assert framed(tab) == [other], "the last two rows belong to no token"


def test_a_click_looks_at_a_row_and_asks_for_another_column(tab: Page, explained: Explanation) -> None:
    mount_matrix(tab, explained, column=2)
    sent = "(() => { window.told = []; store.ask = (changes) => told.push(changes); })()"
    tab.evaluate(sent)
    expect(tab.locator(".reading")).to_have_text(f"«the» · «the» = {number(ROWS[0, 2], 2)}")
    tab.locator("#root canvas").focus()
    tab.keyboard.press("ArrowRight")
    tab.keyboard.press("ArrowDown")
    bare.frame(tab)
    assert tab.evaluate("[store.view.token, told]") == [1, [{"other": "3"}]]
    (one,) = framed(tab)
    tab.locator("#root canvas").click(position={"x": 300, "y": 150})
    bare.frame(tab)
    (cell,) = framed(tab)
    row = 1 + round((cell["y"] - one["y"]) / one["height"])
    column = 3 + round((cell["x"] - one["x"]) / one["width"])
    assert tab.evaluate("[store.view.token, told.at(-1)]") == [row, {"other": str(column)}] and (row, column) != (1, 3)


def test_what_is_still_to_be_guessed_has_no_label(tab: Page, explained: Explanation) -> None:
    mount_matrix(tab, explained, side="target", step=1, predict="word")
    said = bare.texts(tab)
    assert said.count("?") == 2 and "⟨00⟩" not in said


def test_another_pair_of_positions_stands_in_the_address(kept: Page, server: str) -> None:
    turn_to(kept, f"{server}/positions?text=I+love+you.&show=product")
    canvas = kept.locator(".viz-vector-matrix canvas")
    canvas.focus()
    kept.keyboard.press("ArrowRight")
    follows(kept, other="4", show="product")
    expect(kept.locator(".viz-vector-matrix .reading")).to_contain_text("«4 ⟨/s⟩»")
    expect(kept.locator(".viz-arithmetic .katex").first).to_be_attached()
