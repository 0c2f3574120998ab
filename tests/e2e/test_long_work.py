"""Readers ask for more long computations than the pool takes at a time: who waits is told how many come first."""

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.driving import open_at
from viz_core.app.pool import AT_ONCE
from viz_core.texts import fill, texts

pytestmark = pytest.mark.e2e
SAYS = texts("app.frame")["long_work"]


def test_who_waits_is_told_how_many_come_first_and_gets_the_figure_afterwards(browser: Browser, slow: str) -> None:
    """On the server under load, where no other test asks for long work."""
    page = browser.new_context().new_page()
    page.set_default_timeout(60_000)
    open_at(page, f"{slow}/heads?show=roles&model=en-de-tiny&text=The+otter+paints+the+map.")
    for number in range(AT_ONCE):
        other = page.context.new_page()
        other.goto(f"{slow}/why?show=source_words&model=en-de-tiny&text={number}+otters.")
        expect(other.locator("p.long-work").first).to_be_visible()
    page.get_by_role("radio", name="ablation").click()
    said = SAYS["before_one"] if AT_ONCE == 1 else fill(SAYS["before"], {"before": AT_ONCE})
    expect(page.locator("p.long-work").first).to_have_text(said)
    expect(page.locator(".viz-head-ablation canvas")).to_be_visible()
    expect(page.locator("p.long-work")).to_have_count(0)
    page.context.close()
