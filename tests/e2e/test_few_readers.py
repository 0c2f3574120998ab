"""On a server of its own, as one reader alone has it: what a class would have to wait for is there at once."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page

from tests.e2e.conftest import started
from tests.e2e.driving import Frames, open_at
from tests.e2e.test_silence import BELOW, FIGURE, HEAD, ON_AT_ONCE, TEXT, ask_for_nothing

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with started() as (_, url):
        yield url


def test_source_words_of_a_short_sentence_ask_for_nothing(page: Page, server: str, frames: Frames) -> None:
    open_at(page, f"{server}/why?{TEXT}&{HEAD}&show=source_words")
    ask_for_nothing(page, frames, ON_AT_ONCE, [BELOW, FIGURE], "at step 2 depend on")
