"""The pages' own controls: what is picked in each kind stands in the address, and what the address names stands in the control."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.driving import follows, turn_to

pytestmark = pytest.mark.e2e
TEXT = "text=The+otter+paints+the+map."


@pytest.fixture
def page(kept: Page) -> Page:
    """The tab that is kept: an address says all that is changed here."""
    return kept


def control(page: Page, name: str) -> Locator:
    return page.locator(f".st-key-_part_control_{name}")


def test_what_is_picked_stands_in_the_address_and_waits_until_its_page_is_shown_again(page: Page, server: str) -> None:
    turn_to(page, f"{server}/decoding?size=6&step=2&{TEXT}")
    page.get_by_role("radio", name="sampling").click()
    page.get_by_role("combobox", name="Model").select_option("en-de-small")  # before there is an answer
    follows(page, case="sampling", size=None, model="en-de-small")
    temperature = control(page, "temp").get_by_role("slider")
    temperature.focus()
    for _ in range(3):  # faster than the server answers
        page.keyboard.press("ArrowRight")
    follows(page, temp="1.3")
    expect(temperature).to_have_value("1.3")
    page.get_by_role("link", name="Tokens").first.click()
    follows(page, case=None, temp=None)
    page.get_by_role("link", name=re.compile("chooses")).first.click()
    follows(page, case="sampling", temp="1.3")
    page.get_by_role("radio", name="beam search").click()
    follows(page, case=None, size="6", temp=None)
    page.get_by_role("radio", name="sampling").click()
    follows(page, case="sampling", temp="1.3")
    page.get_by_role("button", name="More").click()
    seed = control(page, "seed").get_by_role("spinbutton")
    for typed in ("77777777", ""):
        seed.fill(typed)
        page.keyboard.press("Enter")
        follows(page, seed="999999")  # the most there is
        expect(seed).to_have_value("999999")
    page.go_back()
    follows(page, seed=None, temp="1.3")
    expect(seed).to_have_value("0")


def test_a_line_takes_any_text_and_a_list_several_entries(page: Page, server: str) -> None:
    turn_to(page, f"{server}/compare?{TEXT}")
    page.get_by_role("textbox", name="The other sentence").fill(" I <b>love</b> </script> 🐈 ")
    page.keyboard.press("Enter")
    follows(page, second="I <b>love</b> </script> 🐈")
    turn_to(page, f"{server}/positions?dims=1-9&{TEXT}")
    dims = control(page, "dims")
    dims.get_by_role("combobox").select_option("5")
    follows(page, dims="1-5-9")
    for name in ("Remove 1", "Remove 5"):
        dims.get_by_role("button", name=name).click()
    follows(page, dims="9")
    expect(dims.get_by_role("button")).to_be_disabled()  # one is always drawn
