"""Try this: the question stands below the title, the keyboard opens its answer, and lecture mode and Predict hide it."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.driving import settle, turn_to
from tests.e2e.test_axe import findings
from viz_core.texts import texts

pytestmark = pytest.mark.e2e
FIRST = texts("self_attention")["try"][0]
ONE_LINE = 40
"""Pixels by which the line may push the figure."""


@pytest.fixture
def page(kept: Page, server: str) -> Iterator[Page]:
    """The tab that is kept, which is left on a page without a question."""
    yield kept
    turn_to(kept, f"{server}/tokens")


def pressed(page: Page, server: str) -> Locator:
    """The line that asks the first question of the page Self-attention."""
    turn_to(page, f"{server}/self_attention?text=I+love+you.")
    page.get_by_role("button", name=FIRST["label"]).click()
    settle(page)
    line = page.locator(".st-key-_tried")
    expect(line).to_contain_text(FIRST["look"])
    return line


def test_the_keyboard_opens_the_answer_and_closes_the_line(page: Page, server: str) -> None:
    page.emulate_media(color_scheme="dark")
    line = pressed(page, server)
    box = line.bounding_box()
    assert box and box["height"] <= ONE_LINE
    expect(line.get_by_text(FIRST["answer"])).to_be_hidden()
    line.locator("summary").press("Enter")
    expect(line.get_by_text(FIRST["answer"])).to_be_visible()
    expect(page.locator("canvas[role=img]:not([aria-label]):visible")).to_have_count(0)  # which comes with its first picture
    assert findings(page) == []
    line.get_by_role("button", name=texts("app.frame")["close"]).press("Enter")
    expect(line).to_have_count(0)


def test_another_question_comes_with_its_answer_closed(page: Page, server: str) -> None:
    line = pressed(page, server)
    line.locator("summary").click()
    expect(line.get_by_text(FIRST["answer"])).to_be_visible()
    second = texts("self_attention")["try"][1]
    page.locator("[data-key=try_self_attention_1]").click()
    settle(page)
    expect(line).to_contain_text(second["look"])
    expect(line.get_by_text(second["answer"])).to_be_hidden()


def test_lecture_mode_and_predict_hide_the_line(page: Page, server: str) -> None:
    line = pressed(page, server)
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("l")
    expect(line).to_be_hidden()
    page.keyboard.press("l")
    expect(line).to_be_visible()
    page.get_by_role("button", name="Predict").click()
    expect(line).to_be_hidden()
