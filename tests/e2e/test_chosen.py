"""What is chosen differs by more than its ground, in greyscale and in the colours of the system. All pages: test_every_page.py."""

from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.e2e.driving import Source

pytestmark = pytest.mark.e2e

CHOSEN = Path(__file__).with_name("chosen.js").read_text("utf-8")
ADDRESSES = (
    "cross_attention?cell=1-2&stage=softmax&show=one", "?open=cross&stage=mask", "?drawing=paper", "what_if?edits=head:cross.0.0",
    "code?call=10", "decoding?cell=2-1",
)  # fmt: skip


def told_by_colour(page: Page) -> list[str]:
    """What is chosen and differs by colours alone, in those of the page or in those of the system."""
    found: list[str] = page.evaluate(CHOSEN)
    page.emulate_media(forced_colors="active")
    found += page.evaluate(CHOSEN)
    page.emulate_media(forced_colors="none")
    return found


def test_what_is_chosen_has_a_shape_of_its_own(source: Source) -> None:
    found = []
    for address in filter(lambda each: source.has(each.partition("?")[0]), ADDRESSES):
        kept = source.turn(address)
        found += [f"{address}: {each}" for each in told_by_colour(kept)]
    assert not found, "\n".join(found)


def test_a_ground_alone_is_found(tab: Page) -> None:
    style = (
        "[aria-pressed=true] { background: #000; color: #fff; } .b[aria-pressed=true] { font-weight: 700; } button { border: 0; }"
    )
    tab.set_content(f"<style>{style}</style><button aria-pressed=true>one</button><button class=b aria-pressed=true>two</button>")
    assert told_by_colour(tab) == ["chosen by colour alone: button. «one»", "chosen by colour alone, forced: button. «one»"]
