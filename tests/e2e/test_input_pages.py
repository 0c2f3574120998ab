"""Tokens, Embeddings and Positions in a real browser: at each token the right numbers and labels, at once, as they were typed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from pages.embeddings.data import lookup
from pages.positions.compute import wave
from pages.positions.data import waves_payload
from pages.tokens.compute import WordBlock, blocks, built_words, merge_rows, written_target
from pages.tokens.data import ROWS, merges_payload, spelling_payload
from tests.e2e import bare
from viz_core.analysis.embeddings import embedding_space, one_hot_window
from viz_core.checkpoint import Checkpoint
from viz_core.explain import Explanation, explain
from viz_core.figures.attention import signed
from viz_core.figures.palette import LIGHT, mixed

pytestmark = pytest.mark.e2e
HOSTILE = "The otter </script><b>x</b> 🐱 hides."


@pytest.fixture(scope="module")
def explained(checkpoint: Checkpoint) -> Explanation:
    return explain(checkpoint, HOSTILE, "Der Otter bemalt die Karte.")


def set_(tab: Page, **view: object) -> None:
    """Changes the view, and waits until that is painted."""
    tab.evaluate("view => store.set(view)", view)
    bare.frame(tab)


def lines(tab: Page) -> list[list[str]]:
    """What is written in the figure, line by line from above, each from the left."""
    return tab.evaluate(  # type: ignore[no-any-return]
        """() => {
            const found = new Map();
            for (const text of document.querySelectorAll("#root svg text")) {
              const { x, y, width, height } = text.getBoundingClientRect();
              const line = Math.round((y + height / 2) / 6);
              const at = [...found.keys()].find((each) => Math.abs(each - line) < 2) ?? line;
              found.set(at, [...(found.get(at) ?? []), [x + width / 2, text.textContent]]);
            }
            const order = (one, other) => one[0] - other[0];
            return [...found].sort(order).map(([, words]) => words.sort(order).map(([, word]) => word));
        }"""
    )


@pytest.mark.parametrize("side", ["source", "target"])
def test_a_lookup_shows_the_rows_around_the_token_and_its_own_again_as_the_sum(
    tab: Page, checkpoint: Checkpoint, explained: Explanation, side: Any
) -> None:
    payload = lookup(checkpoint, explained, side)
    bare.mount(tab, "lookup", payload, explained, {}, page="embeddings", width=1100)
    space = embedding_space(checkpoint, side)
    tokenized, name = (explained.source, "token") if side == "source" else (explained.target, "step")
    columns = [*range(6), space.rows.shape[1] - 1]
    for at in range(len(explained.source if side == "source" else explained.steps)):
        set_(tab, **{name: at})
        own, rows = tokenized.ids[at], one_hot_window(tokenized.ids[at], len(space))

        def numbers(token_id: int) -> list[str]:
            *first, last = [signed(float(value), 3) for value in space.rows[token_id, columns]]
            return [*first, "…", last]

        written = [line for line in lines(tab) if "⋮" not in line]
        names, *drawn, total, dimensions, axis = written
        assert names == ["one-hot", f"matrix E: {len(space)} rows × {space.rows.shape[1]}"]
        assert drawn == [[f"{i}  {space.labels[i]}", "1" if i == own else "0", "×", *numbers(i)] for i in rows]
        assert total == [f"sum = row {own}", *numbers(own)]
        assert (dimensions, axis) == ([str(column + 1) for column in columns], ["dimension"])
    label = tab.locator("#root svg").get_attribute("aria-label") or ""
    assert f"sum = row {own}" in label and signed(float(space.rows[own, 0]), 3) in label


def test_a_cell_under_the_pointer_is_read_with_four_digits(tab: Page, checkpoint: Checkpoint, explained: Explanation) -> None:
    bare.mount(tab, "lookup", lookup(checkpoint, explained, "source"), explained, {"token": 1}, page="embeddings", width=1100)
    space, token_id = embedding_space(checkpoint, "source"), explained.source.ids[1]
    cell = tab.locator("#root svg g").filter(has_text=signed(float(space.rows[token_id, 2]), 3)).first
    cell.hover()
    value = np.float32(space.rows[token_id, 2])
    expect(tab.locator(".reading")).to_contain_text(f"dimension 3: {signed(float(value), 4)}")
    tab.mouse.move(0, 0)
    expect(tab.locator(".reading")).to_contain_text("is multiplied by 1")


DIMS = (0, 5, 30)
DONE = 2  # merges


def mount_waves(tab: Page, explained: Explanation, side: Any, **view: object) -> tuple[np.ndarray, list[str]]:
    """Shows three dimensions; the recorded vectors, and the labels of the positions."""
    rows = explained.trace.array(f"{side}.positions")
    labels = (explained.source if side == "source" else explained.target).labels
    payload = waves_payload(side, [wave(dim, rows.shape[1]) for dim in DIMS], rows, labels)
    bare.mount(tab, "waves", payload, explained, view, page="positions", width=1100)
    return rows, [f"{at} {label}" for at, label in enumerate(labels)]


def dots(tab: Page) -> np.ndarray:
    """Of each lane its dots from the left: x, y, and whether it is the picked one, above the others."""
    found = tab.locator("#root svg circle").evaluate_all(
        "all => all.map(({ cx, cy, r }) => [cx, cy, r].map((each) => each.baseVal.value))"
    )
    return np.array(found)


def test_waves_have_a_lane_each_the_first_on_top_and_the_picked_values_beside_them(tab: Page, explained: Explanation) -> None:
    rows, labels = mount_waves(tab, explained, "source")
    for at in (0, 3, len(rows) - 1):
        set_(tab, token=at)
        values = [signed(float(rows[at, dim])) for dim in DIMS]
        written = lines(tab)
        names = [f"dim {dim + 1} · {'cos' if dim % 2 else 'sin'} · λ = {wave(dim, rows.shape[1]).length:,.3g}" for dim in DIMS]
        assert written[:3] == [[name, value] for name, value in zip(names, values, strict=True)]
        assert written[-1] == ["position, counted from 0 as in the formula"]
        said = tab.locator("#root svg").get_attribute("aria-label") or ""
        assert f"«{labels[at]}»: " + "; ".join(f"{name}: {value}" for name, value in zip(names, values, strict=True)) in said


def test_dots_go_up_with_their_value_and_have_its_colour(tab: Page, explained: Explanation) -> None:
    rows, _ = mount_waves(tab, explained, "source", token=2)
    found, count = dots(tab), len(rows)
    lanes = found[: 3 * count].reshape(3, count, 3)
    middles = tab.locator("#root svg g:nth-of-type(2) line").evaluate_all("all => all.map(({ y1 }) => y1.baseVal.value)")
    for lane, middle, dim in zip(lanes, middles, DIMS, strict=True):
        assert np.all(np.diff(lane[:, 0]) > 0)
        above = middle - lane[:, 1]
        assert np.allclose(
            above, rows[:, dim] * (above[0] / rows[0, dim] if abs(rows[0, dim]) > 0.5 else above[1] / rows[1, dim]), atol=0.1
        )
    picked = found[3 * count :]
    assert np.allclose(picked[:, :2], lanes[:, 2, :2])
    assert np.all(picked[:, 2] > lanes[:, 2, 2])
    fill = tab.locator("#root svg circle").nth(2 * count + 1).get_attribute("fill") or ""
    near = np.array([int(part) for part in fill.removeprefix("rgb(").removesuffix(")").split(",")])
    assert np.abs(near - np.array(mixed(LIGHT.diverging, (float(rows[1, DIMS[2]]) + 1) / 2))).max() <= 2


def test_a_click_picks_the_position_and_the_pointer_reads_its_value(tab: Page, explained: Explanation) -> None:
    rows, labels = mount_waves(tab, explained, "target")
    at, lane = min(2, len(explained.steps) - 1), 1
    box = tab.locator("#root svg").bounding_box()
    assert box is not None
    x, y, _ = dots(tab)[lane * len(rows) + at]
    tab.mouse.move(box["x"] + x, box["y"] + y)
    expect(tab.locator(".reading")).to_contain_text(f"«{labels[at]}», dim 6 · cos")
    expect(tab.locator(".reading")).to_contain_text(signed(float(rows[at, 5]), 4))
    tab.mouse.click(box["x"] + x, box["y"] + y)
    bare.frame(tab)
    assert tab.evaluate("store.view.step") == at


def test_target_tokens_that_are_to_be_guessed_are_not_named(tab: Page, explained: Explanation) -> None:
    _, labels = mount_waves(tab, explained, "target", predict="word", step=1)
    written = tab.locator("#root").inner_text().splitlines()
    assert {*labels[:2], "2 ?"} <= {*written} and not {*labels[2:]} & {*written}
    set_(tab, revealed=True)
    assert {labels[2], "3 ?"} <= {*tab.locator("#root").inner_text().splitlines()}


def mount_tokens(
    tab: Page, checkpoint: Checkpoint, explained: Explanation, part: str, side: Any, **view: object
) -> list[WordBlock]:
    """Shows the spelling of one side, or the merges of its words; its blocks."""
    tokenizer = checkpoint.tokenizer
    parts = blocks(explained.source if side == "source" else written_target(explained), tokenizer)
    if part == "spelling":
        payload = spelling_payload(side, parts, {row: f"{row}: 1" for row in ROWS})
    else:
        payload = merges_payload(side, parts, built_words(explained, tokenizer, side), DONE)
    bare.mount(tab, part, payload, explained, view, page="tokens", width=1100)
    return parts


def test_a_spelling_shows_every_token_below_its_characters_and_a_click_picks_it(
    tab: Page, checkpoint: Checkpoint, explained: Explanation
) -> None:
    parts = mount_tokens(tab, checkpoint, explained, "spelling", "source", token=1)
    tokens = [token for block in parts for token in block.tokens]
    assert tab.locator(".token").all_text_contents() == [token.text for token in tokens]
    assert tab.locator(".id").all_text_contents() == [str(token.id) for token in tokens]
    assert tab.locator(".word").all_text_contents() == [block.word.text for block in parts if block.word]
    for at in (2, len(tokens) - 1):
        tab.locator(".token").nth(at).click()
        bare.frame(tab)
        assert tab.evaluate("store.view.token") == at
        assert tab.locator(".token").evaluate_all("all => all.flatMap((node, at) => (node.matches('.picked') ? [at] : []))") == [at]
    for block in range(len(parts)):
        above, below = (tab.locator(".block").nth(block).locator(name) for name in (".letter", ".token"))
        if above.count():
            boxes = above.first.bounding_box(), below.first.bounding_box()
            assert boxes[0] and boxes[1] and boxes[0]["y"] < boxes[1]["y"]


def test_the_stage_has_room_for_three_lines_and_an_arrow_says_when_there_are_more(
    tab: Page, checkpoint: Checkpoint, explained: Explanation
) -> None:
    mount_tokens(tab, checkpoint, explained, "spelling", "source", token=0)
    tab.set_viewport_size({"width": 1440, "height": 545})  # with a margin, what the stage has in a window of 1280 × 720
    widths: dict[int, int] = {}
    for width in range(1000, 200, -20):
        tab.evaluate("width => { document.querySelector('#root').parentElement.style.width = `${width}px`; }", width)
        bare.frame(tab)
        widths.setdefault(tab.locator(".names > div").count(), width)
    assert {3, 4} <= widths.keys()
    for lines, opacity in ((3, "0"), (4, "1")):
        tab.evaluate("width => { document.querySelector('#root').parentElement.style.width = `${width}px`; }", widths[lines])
        bare.frame(tab)
        place = tab.locator(".spelling").bounding_box()
        ids = [box for each in tab.locator(".id").all() if (box := each.bounding_box())]
        third = sorted({box["y"] + box["height"] for box in ids})[2]
        assert place and third <= place["y"] + place["height"] + 1
        assert tab.locator(".spelling").evaluate("node => getComputedStyle(node, '::after').opacity") == opacity


def test_merges_are_those_of_the_picked_word_as_far_as_they_are_applied(
    tab: Page, checkpoint: Checkpoint, explained: Explanation
) -> None:
    parts = mount_tokens(tab, checkpoint, explained, "merges", "source", token=0)
    for at, block in enumerate(parts):
        set_(tab, token=sum(len(each.tokens) for each in parts[:at]))
        if block.word is None:
            expect(tab.locator(".ladder")).to_be_hidden()
            continue
        merges = checkpoint.tokenizer.merges(block.word.text, block.spaced)
        rows = merge_rows(checkpoint.tokenizer.letters(block.word.text, block.spaced), merges)
        expect(tab.locator("h2")).to_have_text(f"How «{block.word.text}» is built from characters")
        drawn = [rung.locator(".token").all_text_contents() for rung in tab.locator(".rung").all()]
        assert drawn == [[token.text for token in row.tokens] for row in rows]
        expect(tab.locator(".rung:not(.later)")).to_have_count(min(DONE, len(merges)) + 1)
        said = tab.locator(".ladder").get_attribute("aria-label") or ""
        assert said.count("; ") >= min(DONE, len(merges)) and all(token.text in said for token in rows[0].tokens)


def test_tokens_of_the_target_that_are_to_be_guessed_are_not_drawn(
    tab: Page, checkpoint: Checkpoint, explained: Explanation
) -> None:
    parts = mount_tokens(tab, checkpoint, explained, "spelling", "target", predict="word", step=2)
    tokens = [token.text for block in parts for token in block.tokens]
    for known in (3, 4):
        assert tab.locator(".token").all_text_contents() == tokens[:known]
        last = next(block for block in parts if sum(len(each.tokens) for each in parts[: parts.index(block) + 1]) > known)
        assert last.word is not None
        said = tab.locator(".spelling").get_attribute("aria-label") or ""
        assert last.word.text not in tab.locator(".word").all_text_contents() and f"«{last.word.text}»" not in said
        set_(tab, revealed=True)
    mount_tokens(tab, checkpoint, explained, "merges", "target", predict="word", step=2)
    expect(tab.locator(".ladder")).to_be_hidden()
