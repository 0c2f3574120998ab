"""The figure of Q, K, V in a real browser: which way round the matrices are, what is picked, and what is still to be guessed."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from pages.qkv.data import projection_weights, qkv
from tests.e2e import bare
from viz_core import Explanation, explain
from viz_core.checkpoint import Checkpoint
from viz_core.trace import Kind

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module")
def explained(checkpoint: Checkpoint) -> Explanation:
    return explain(checkpoint, "The otter paints <b>the</b> map.", "Der Otter bemalt keine Häuser.")


def mount(tab: Page, checkpoint: Checkpoint, explained: Explanation, kind: Kind = "self", role: Any = "q", **view: Any) -> None:
    records = {
        f"projection_weights?model=m&kind={kind}&role={role}&layer=0&head=1": projection_weights(checkpoint, kind, role, 0, 1)
    }
    page = "self_attention" if kind == "self" else "qkv"
    shown = {"layer": 0, "head": 1, **view}
    payload = qkv(checkpoint, explained, kind, role)
    bare.mount(tab, "qkv", payload, explained, shown, page=page, width=1100, records=records)


def number(value: float) -> str:
    return f"{value:.3f}".replace("-", "−")


def test_the_arrow_keys_move_what_is_picked_once_the_keyboard_is_on_the_figure(
    tab: Page, checkpoint: Checkpoint, explained: Explanation
) -> None:
    mount(tab, checkpoint, explained, token=2, dim=6)
    y, label = explained.trace.array("encoder.0.self_attn.q")[1], explained.source.labels
    tab.keyboard.press("Tab")
    figure = tab.locator("canvas[role=slider]")
    expect(figure).to_be_focused()
    for key, row, column in (("ArrowRight", 2, 7), ("ArrowRight", 2, 7), ("ArrowUp", 1, 7), ("ArrowLeft", 1, 6)):
        tab.keyboard.press(key)
        bare.frame(tab)
        assert tab.evaluate("[store.view.token, store.view.dim]") == [row, column], f"{key}: 8 dimensions"
        expect(figure).to_have_attribute("aria-valuetext", f"«{label[row]}»: q[{column + 1}] = {number(y[row, column])}")
        expect(figure).to_have_attribute("aria-valuenow", str(column + 1))


def test_a_click_on_a_cell_picks_its_row_and_column(tab: Page, checkpoint: Checkpoint, explained: Explanation) -> None:
    mount(tab, checkpoint, explained)
    box = tab.locator("canvas[role=slider]").bounding_box()
    assert box
    for matrix, picked in (("y", [1, 2]), ("x", [3, 2]), ("w", [3, 5])):
        at = {"y": (1, 2), "x": (3, 7), "w": (9, 5)}[matrix]
        place = tab.evaluate(
            "([matrix, row, column, wide, high]) => {"
            " const head = code.headAt(code.readQkv(bytes), store.view);"
            " const { x, y } = code.layoutOf(head, { w: wide, h: high, whole: false })[matrix];"
            " return [x(column), y(row)]; }",
            [matrix, *at, box["width"], box["height"]],
        )
        tab.mouse.click(box["x"] + place[0], box["y"] + place[1])
        bare.frame(tab)
        assert tab.evaluate("[store.view.token, store.view.dim]") == picked, matrix


def test_tokens_that_are_to_be_guessed_are_nowhere(tab: Page, checkpoint: Checkpoint, explained: Explanation) -> None:
    labels = explained.target.labels
    for kind, role in (("masked", "k"), ("cross", "k")):
        mount(tab, checkpoint, explained, kind, role, step=1, predict="word")  # type: ignore[arg-type]
        for known in (2, 3):
            said = bare.texts(tab)
            (line,) = (text for text in said if text.startswith(f"{labels[0]} {labels[1]} "))
            assert line.split()[: known + 2] == [*labels[:known], "?", "?"]
            assert said.count("?") == (len(labels) - known if kind == "masked" else 0), "the rows"
            tab.evaluate("store.set({ revealed: true })")
            bare.frame(tab)


def test_the_head_whose_w_is_on_its_way_is_dimmed_and_has_its_own_y(
    tab: Page, checkpoint: Checkpoint, explained: Explanation
) -> None:
    mount(tab, checkpoint, explained, token=2, dim=3)
    root = tab.locator("#root")
    assert not root.evaluate("node => node.hasAttribute('data-stale')")
    tab.evaluate("store.set({ layer: 1, head: 0 })")
    bare.frame(tab)
    assert root.evaluate("node => node.hasAttribute('data-stale')")
    y = explained.trace.array("encoder.1.self_attn.q")[0]
    expect(tab.locator(".reading")).to_have_text(f"«{explained.source.labels[2]}»: q[4] = {number(y[2, 3])}")
