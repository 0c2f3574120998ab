"""Two sides of the page "Compare" in a real browser: stepped together, on one scale, and subtracted the right way round."""

import re

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.conftest import MakeModel
from tests.e2e import bare
from tests.e2e.bare import frame
from tests.e2e.driving import Source, follows, query
from viz_core import explain
from viz_core.analysis.words import align_words, by_words
from viz_core.browser.attention_payload import attention_payload, side_by_side_payload
from viz_core.checkpoint import Checkpoint
from viz_core.explain import Explanation
from viz_core.tokenizer import Tokenizer
from viz_core.trace import Kind

pytestmark = pytest.mark.e2e
LEFT, RIGHT = "The cook sold three ripe pears.", "The cook bought three overripe pears today."
ADDRESS = f"compare?text={LEFT}&second={RIGHT}"


@pytest.fixture(scope="module")
def both(shipped: Checkpoint) -> tuple[Explanation, Explanation]:
    return explain(shipped, LEFT), explain(shipped, RIGHT)


def mounted(tab: Page, left: Explanation, right: Explanation, kind: Kind, *, difference: bool, **view: object) -> None:
    sides = ((name, attention_payload(ex, kind)) for name, ex in zip("AB", (left, right), strict=True))
    payload = side_by_side_payload(*sides, difference=difference, alone=True)
    bare.mount(tab, "side_by_side", payload, left, dict(view), page="compare", stages="cross", width=1200)


@pytest.mark.parametrize("kind", ["self", "cross"])
def test_the_difference_is_right_less_left_word_by_word(both: tuple[Explanation, Explanation], kind: Kind, tab: Page) -> None:
    left, right = both
    layer, head, last = 2, 4, len(left.steps) - 1
    mounted(tab, left, right, kind, difference=True, layer=layer, head=head, step=last)
    rows = align_words(*(ex.source if kind == "self" else ex.target for ex in both)).matches
    columns = align_words(left.source, right.source).matches
    before, after = (
        by_words(
            ex.trace.attention(kind, layer).weights[head],
            [list(row.tokens[i]) for row in rows],
            [list(one.tokens[i]) for one in columns],
        )
        for i, ex in enumerate(both)
    )
    points = 100 * (after - before)
    row, column = (int(at) for at in np.unravel_index(np.abs(points).argmax(), points.shape))
    cell = [rows[row].tokens[0][0], columns[column].tokens[0][0]]
    tab.evaluate("(cell) => store.set({ cell })", cell)
    frame(tab)
    said = tab.locator(".reading").inner_text()
    labels = [" | ".join(dict.fromkeys(match.texts)) for match in (rows[row], columns[column])]
    told = re.match(rf"Difference ([+−]?[\d.]+) points: «{re.escape(labels[0])}» gives «{re.escape(labels[1])}» ", said)
    assert said.endswith(", layer 3, head 5")
    assert told and float(told[1].replace("−", "-")) == pytest.approx(points[row, column], abs=0.051)
    texts = bare.texts(tab)
    wanted = [f"{value:+.0f}".replace("-", "−") for value in points.ravel() if abs(value) >= 0.5]
    assert wanted and [text for text in texts if re.fullmatch(r"[+−]\d+", text)][: len(wanted)] == wanted  # then the legend
    assert "overripe" not in " ".join(label for label, *_ in [match.texts for match in rows])
    expect(tab.locator(".alone")).to_contain_text("Only on the right")


def test_two_stages_step_together_with_one_scale(both: tuple[Explanation, Explanation], tab: Page) -> None:
    left, right = both
    mounted(tab, left, right, "self", difference=False, stage="scores", step=2, layer=1, head=0)
    ends = [max(np.abs(ex.trace.attention("self", 1).scores[0]).max() for ex in (left, right))]
    limit = 5 * np.ceil(ends[0] / 5)
    assert [text for text in bare.texts(tab) if text in {f"{limit:g}", f"−{limit:g}"}] == [f"−{limit:g}", f"{limit:g}"] * 2
    mounted(tab, left, right, "cross", difference=False, step=1, layer=1, head=0)
    tab.keyboard.press("ArrowRight")
    for side, ex in enumerate(both):
        read, writes = ex.target.labels[2], ex.output[2].label
        expect(tab.locator("section").nth(side).locator(".reading")).to_contain_text(f"«{read} → {writes}» gives")


def test_a_model_with_fewer_layers_and_heads_shows_its_last_ones_and_says_so(
    shipped: Checkpoint, make_model: MakeModel, tokenizer: Tokenizer, tab: Page
) -> None:
    small = Checkpoint("small", make_model(), tokenizer, "en", "de", "")
    assert small.config.n_layers == 2
    left, right = explain(shipped, LEFT), explain(small, LEFT)
    mounted(tab, left, right, "self", difference=False, layer=3, head=7)
    names = tab.locator(".name")
    expect(names.nth(0)).to_have_text("A")
    expect(names.nth(1)).to_contain_text(f"layer 2 of 2, head {small.config.n_heads} of {small.config.n_heads}")
    expect(tab.locator(".reading").nth(0)).to_contain_text("layer 4, head 8")
    expect(tab.locator(".reading").nth(1)).to_contain_text("layer 2, head")


def test_the_main_path(source: Source, both: tuple[Explanation, Explanation]) -> None:
    kept = source.turn(ADDRESS)
    for side, ex in enumerate(both):
        expect(kept.locator(".viz-comparison .side").nth(side).locator(".token")).to_have_text([token.text for token in ex.output])
    kept.keyboard.press("ArrowRight")
    frame(kept)
    assert kept.locator(".viz-comparison .now").all_inner_texts() == [ex.output[1].text for ex in both]
    kept.get_by_role("radio", name="difference").or_(kept.get_by_role("button", name="difference")).first.click()
    expect(kept.locator(".viz-side-by-side.difference .name")).to_contain_text("−")
    follows(kept, show="difference", step="2")
    expect(kept.locator(".viz-side-by-side.difference .name")).to_contain_text(RIGHT)
    kept.get_by_role("button", name="Swap").click()
    follows(kept, second=LEFT, text=RIGHT)
    assert "step" not in query(kept)
