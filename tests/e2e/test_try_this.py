"""Try this: a press at the foot sets the view; the question stands below the title, and lecture mode and Predict hide it."""

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.driving import follows, settle, turn_to
from viz_core.texts import texts

pytestmark = pytest.mark.e2e
FIRST, SECOND = texts("self_attention")["try"][:2]
ONE_LINE = 40
"""Pixels by which the line may push the figure."""


def test_an_entry_sets_the_view_asks_and_answers(kept: Page, server: str) -> None:
    turn_to(kept, f"{server}/self_attention?text=I+love+you.")
    kept.get_by_role("button", name=FIRST["label"]).click()
    follows(kept, layer=str(FIRST["set"]["layer"]))
    kept.wait_for_function("document.querySelector('[data-testid=stMain]').scrollTop < 50")
    line = kept.locator(".st-key-_tried")
    expect(line).to_contain_text(FIRST["look"])
    box = line.bounding_box()
    assert box and box["height"] <= ONE_LINE
    expect(line.get_by_text(FIRST["answer"])).to_be_hidden()
    line.locator("summary").press("Enter")
    expect(line.get_by_text(FIRST["answer"])).to_be_visible()

    kept.locator("[data-key=try_self_attention_1]").click()
    expect(line).to_contain_text(SECOND["look"])
    expect(line.get_by_text(SECOND["answer"])).to_be_hidden()
    settle(kept)
    kept.evaluate("document.activeElement.blur()")
    for shown in (False, True):
        kept.keyboard.press("l")
        expect(line).to_be_visible(visible=shown)
    kept.get_by_role("button", name="Predict").click()
    expect(line).to_be_hidden()
    kept.get_by_role("button", name="Predict").click()
    line.get_by_role("button", name=texts("app.frame")["close"]).press("Enter")
    expect(line).to_have_count(0)
