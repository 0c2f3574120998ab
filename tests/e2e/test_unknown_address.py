"""Who opens an address of no page sees the overview, reads that there is no such page, and is offered the nearest ones."""

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.driving import query, settle, turn_to

pytestmark = pytest.mark.e2e


@pytest.mark.parametrize(
    ("path", "said", "near"),
    [
        ("attention", "“attention”", ["Self-attention", "Cross attention", "Masked attention"]),
        ("static/%3Cb%3Ex", "“static/<b>x”", []),
    ],
)
def test_it_is_never_blank_and_keeps_what_the_link_asks_for(page: Page, server: str, path: str, said: str, near: list[str]) -> None:
    page.goto(f"{server}/{path}?text=A+dog+sleeps.&step=3&head=2")
    expect(page.get_by_role("alert")).to_contain_text(f"There is no page {said}; this is the overview.")
    settle(page)
    expect(page.get_by_text("step 3 of")).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert query(page) == {"text": "A dog sleeps.", "step": "3", "head": "2"}
    links = page.locator(".st-key-_said").get_by_role("link")
    assert [text.split("\n")[-1] for text in links.all_inner_texts()] == near, "after the name of the icon"
    if near:
        links.first.click()
        expect(page.get_by_role("heading", name=near[0], level=1)).to_be_visible()
        settle(page)
        assert query(page)["step"] == "3"


def test_a_script_that_goes_to_no_page_is_told_on_the_overview(kept: Page, server: str) -> None:
    turn_to(kept, f"{server}/atention?step=2")
    expect(kept.get_by_text("There is no page “atention”; this is the overview.").first).to_be_visible()
