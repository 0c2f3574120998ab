"""Neighbours and map in a real browser: each token's own numbers, labels that do not touch, and nothing that the server hears."""

import itertools
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from pages.embeddings.data import neighbours, word_map
from tests.e2e import bare
from viz_core.analysis.embeddings import embedding_space, nearest
from viz_core.analysis.embeddings import word_map as planar
from viz_core.browser.pack import pack
from viz_core.checkpoint import Checkpoint
from viz_core.explain import Explanation, explain
from viz_core.figures.attention import signed
from viz_core.figures.palette import LIGHT
from viz_core.texts import texts

pytestmark = pytest.mark.e2e
HOSTILE = "The otter </script><b>x</b> [[rank]] hides the otter."


@pytest.fixture(scope="module")
def explained(checkpoint: Checkpoint) -> Explanation:
    return explain(checkpoint, HOSTILE, "Der Otter bemalt die Karte.")


def mount(tab: Page, name: str, payload: bytes, explained: Explanation, **view: Any) -> None:
    bare.mount(tab, name, payload, explained, view, page="embeddings", width=1000)


def set_(tab: Page, **view: object) -> None:
    """Changes the view, and waits until that is painted."""
    tab.evaluate("view => store.set(view)", view)
    bare.frame(tab)


def test_a_row_under_the_pointer_is_read(tab: Page, checkpoint: Checkpoint, explained: Explanation) -> None:
    mount(tab, "neighbours", neighbours(checkpoint, explained, "source"), explained, token=1)
    (third, cosine) = nearest(embedding_space(checkpoint, "source"), explained.source.ids[1], 3)[2]
    box = tab.locator("#root canvas").bounding_box()
    assert box
    for y in range(int(box["y"]), int(box["y"] + box["height"]), 12):
        tab.mouse.move(box["x"] + 300, y)
        if tab.locator(".reading").inner_text().startswith("3. "):
            break
    expect(tab.locator(".reading")).to_contain_text(f"token {third}: ")
    expect(tab.locator(".reading")).to_contain_text(signed(float(np.float32(cosine)), 4))
    tab.mouse.move(0, 0)
    expect(tab.locator(".reading")).to_contain_text("1. ")


def test_a_negative_cosine_goes_to_the_left_of_0_and_a_full_one_has_its_number_inside(tab: Page, explained: Explanation) -> None:
    tensors = {
        "which": np.zeros(1, np.int32), "ids": np.arange(3, dtype=np.int32), "neighbours": np.array([[2, 0, 1, -1]], np.int32),
        "cosines": np.array([[1.0, 0.5, -0.25, np.nan]], np.float32),
    }  # fmt: skip
    words = {**texts("embeddings.bars"), "cosine": "cosine", "covered": ""}
    payload = pack(tensors, {"side": "source", "tokens": ["a"], "labels": ["x", "y", "z"], "texts": words})
    mount(tab, "neighbours", payload, explained)
    nodes = bare.elements(tab, "text")
    at = {text: float(node["x"]) for text, node in nodes}
    assert [text for text, _ in nodes if text in "xyz"] == ["z", "x", "y"]
    bars = [(float(bar["x"]), float(bar["width"])) for _, bar in bare.elements(tab, "rect") if bar.get("fill") == LIGHT.accent]
    assert [x for x, _ in bars] == pytest.approx([at["0"], at["0"], at["0"] - (at["1"] - at["0"]) / 4], abs=0.2)
    assert at["1.00"] < at["1"] and at["0.50"] > bars[1][0] + bars[1][1]


def spots(tab: Page) -> list[tuple[float, float]]:
    """Where the points are, in px of the canvas."""
    found: list[tuple[float, float]] = tab.evaluate(
        """() => {
          const { width, height } = document.querySelector("#root canvas").getBoundingClientRect();
          const map = { ...code.readMap(bytes), picked: -1 };
          return code.layoutMap(map, { w: width, h: height, whole: false }).spots.map(({ x, y }) => [x, y]);
        }"""
    )
    return found


def test_a_click_on_a_token_of_the_sentence_picks_it(tab: Page, checkpoint: Checkpoint, explained: Explanation) -> None:
    mount(tab, "word_map", word_map(checkpoint, explained, "source"), explained)
    ids = explained.source.ids
    world, at = planar(embedding_space(checkpoint, "source"), ids), spots(tab)
    (first, second) = next(pair for pair in itertools.combinations(range(len(ids)), 2) if ids[pair[0]] == ids[pair[1]])
    box = tab.locator("#root canvas").bounding_box()
    assert box
    x, y = at[world.ids.index(ids[first])]
    for expected in (first, second, first):  # the one after the other
        tab.mouse.click(box["x"] + x, box["y"] + y)
        bare.frame(tab)
        assert tab.evaluate("store.view.token") == expected
    neighbour = next(i for i, owner in enumerate(world.owner) if owner != i)
    tab.mouse.click(box["x"] + at[neighbour][0], box["y"] + at[neighbour][1])
    assert tab.evaluate("store.view.token") == first
    expect(tab.locator(".reading")).to_contain_text("one of the nearest neighbours of")


def test_labels_never_touch_and_those_of_the_sentence_are_always_there(tab: Page, explained: Explanation) -> None:
    tensors = {"at": np.zeros((1, 2), np.float32), "owner": np.zeros(1, np.int32), "which": np.zeros(1, np.int32)}
    about = {"side": "source", "tokens": ["a"], "labels": ["a"], "texts": texts("embeddings.plane")}
    mount(tab, "word_map", pack(tensors, about), explained)
    draw = np.random.default_rng(2)
    scattered = draw.uniform(0, 1, size=(40, 2)) ** 2 * [800, 540]
    crowded = np.vstack([[400, 270] + draw.normal(size=(24, 2)) * 20, [[20, 20], [780, 520]]])
    for points, own in ((scattered, 12), (crowded, 26)):
        labels = [{"w": 30 * (1 + i % 3) + 12, "h": 26, "rank": "own" if i < own else "other"} for i in range(len(points))]
        placed: dict[str, dict[str, float]] = tab.evaluate(
            "([spots, labels]) => Object.fromEntries(code.placeLabels(spots, labels, { x: 0, y: 0, w: 800, h: 540 }))",
            [[{"x": x, "y": y} for x, y in points.tolist()], labels],
        )
        assert {str(i) for i in range(own)} <= set(placed) and len(placed) > 15
        for one, other in itertools.combinations(placed.values(), 2):
            apart = [max(one[a] - other[a] - other[size], other[a] - one[a] - one[size]) for a, size in (("x", "w"), ("y", "h"))]
            assert max(apart) >= 0


@pytest.mark.parametrize("name", ["neighbours", "word_map"])
def test_words_that_could_be_the_answer_are_nowhere_until_it_is_revealed(
    tab: Page, checkpoint: Checkpoint, explained: Explanation, name: str
) -> None:
    payload = (neighbours if name == "neighbours" else word_map)(checkpoint, explained, "source")
    mount(tab, name, payload, explained, predict="word", token=1)
    canvas, covered = tab.locator("#root canvas"), texts("app.frame")["covered"]
    assert bare.texts(tab) == [covered]
    expect(canvas).to_have_attribute("aria-label", covered)
    canvas.hover()
    expect(tab.locator(".reading")).to_have_text("")
    set_(tab, revealed=True)
    assert len(bare.elements(tab, "text")) > 10
    expect(tab.locator(".reading")).not_to_have_text("")
    set_(tab, step=1, revealed=False)
    assert bare.texts(tab) == [covered]
