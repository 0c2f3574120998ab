"""How it chooses: a step is drawn by the browser alone, in each view; a click on a token behind the last step still shows it."""

import pytest
from playwright.sync_api import Page, expect

from pages.decoding.compute import SamplingOptions, draw
from pages.decoding.copying_compute import decode_with_copying
from tests.e2e.driving import Frames, follows, turn_to
from tests.serving.started import ROOT
from viz_core.checkpoint import Checkpoint
from viz_core.decoding.copying import read
from viz_core.explain import explain

pytestmark = pytest.mark.e2e
SENTENCE = "She speaks French at home and German at school."
NAMED = "Ostavarn is a very old town."
TITLE = ".viz-part > .lead"


@pytest.fixture
def page(kept: Page) -> Page:
    """The tab that is kept: an address says all that is changed here."""
    return kept


def test_a_draw_says_where_it_has_ended(page: Page, server: str, shipped: Checkpoint) -> None:
    target = "Sie spricht viel Deutsch und noch mehr in der Schule jeden Tag."
    drawn = draw(shipped, explain(shipped, SENTENCE, target), SamplingOptions(top_k=1), 0, 10)[0]
    address = f"{server}/decoding?case=sampling&top_k=1&draw=1&step={len(drawn.ids)}"
    turn_to(page, f"{address}&text={SENTENCE.replace(' ', '+')}&target={target.replace(' ', '+')}")
    expect(page.locator(".st-key-_below h2")).to_have_count(1)
    page.keyboard.press("ArrowRight")
    expect(page.locator(TITLE)).to_contain_text(f"Draw 1 ends with step {len(drawn.ids)}, so at step")
    expect(page.locator(".st-key-_below h2")).to_have_count(0)
    page.keyboard.press("ArrowLeft")
    expect(page.locator(TITLE)).to_contain_text(f"Step {len(drawn.ids)}, after")
    expect(page.locator(".st-key-_below h2")).to_have_count(1)


def test_a_click_on_a_token_behind_the_last_step_shows_it_until_the_next_step(
    page: Page,
    server: str,
    frames: Frames,
    shipped: Checkpoint,
) -> None:
    pointer = read(ROOT / "checkpoints" / "en-de", shipped)
    assert pointer
    explained = explain(shipped, NAMED)
    steps, tokens = len(explained.steps), len(decode_with_copying(shipped, explained, pointer).tokens)
    assert steps < tokens
    to, of = frames
    turn_to(page, f"{server}/decoding?case=copying&text={NAMED.replace(' ', '+')}")
    to.clear()
    of.clear()
    canvas = page.locator(".viz-copied-tokens canvas")
    page.keyboard.press("Tab")
    canvas.focus()
    for _ in range(steps):
        page.keyboard.press("ArrowDown")
    follows(page, cell=f"{steps + 1}-1", step=str(steps))
    expect(page.locator(TITLE)).to_contain_text(f"step {steps + 1} of {tokens}")
    expect(page.locator(".st-key-_below")).to_contain_text(f"Step {steps + 1} of {tokens}")
    canvas.click(position={"x": 300, "y": 45})
    follows(page, step="2", cell=None)
    page.keyboard.press("ArrowRight")
    follows(page, step="3")
    expect(page.locator(TITLE)).to_contain_text(f"step 3 of {tokens}")
    assert (to, of) == ([], [])
