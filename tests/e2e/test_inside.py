"""What a figure shows is fetched when it is needed, and a browser that cannot have it goes on."""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Locator, Page, Request, Route, expect

from tests.e2e.bare import frame
from tests.e2e.driving import TURN, Frames, settle, turn_to

pytestmark = pytest.mark.e2e
TEXT = "text=The+otter+paints+the+map."
FILES = "**/data/inside*"
Asked = Callable[[], int]


@pytest.fixture
def asked(kept: Page) -> Iterator[Asked]:
    """How many files were asked for."""
    found: list[Request] = []

    def hear(request: Request) -> None:
        if "/data/inside?" in request.url:
            found.append(request)

    kept.on("request", hear)
    yield lambda: len(found)
    kept.remove_listener("request", hear)


@pytest.fixture
def picture(kept: Page) -> Locator:
    """Of the open block."""
    return kept.locator(".lens-picture")


def press(page: Page, block: str) -> None:
    """Opens or closes a block."""
    frame(page)
    page.locator(f".opens[data-opens={block}]").press("Enter")


def test_the_closed_overview_fetches_nothing_and_all_blocks_one_file(
    kept: Page, server: str, frames: Frames, asked: Asked, picture: Locator
) -> None:
    to, of = frames
    turn_to(kept, f"{server}/?{TEXT}")
    for key in ("ArrowRight", "ArrowDown", "]"):
        kept.keyboard.press(key)
    kept.mouse.move(600, 400)  # over the rows
    settle(kept)
    assert asked() == 0
    to.clear()
    of.clear()
    kept.locator(".name.cross").hover()
    settle(kept)
    assert asked() == 1
    for block in ("cross", "ffn", "embedding"):
        press(kept, block)
        expect(picture).to_be_visible()
        kept.keyboard.press("Escape")
        expect(picture).to_be_hidden()
    settle(kept)
    assert (asked(), to, of) == (1, [], [])


def test_a_figure_whose_data_cannot_come_says_why_or_comes_later(kept: Page, server: str) -> None:
    said = "There is no model called </script> here."
    kept.route("**/data/overview?*", lambda route: route.fulfill(status=404, json={"error": said}))
    turn_to(kept, f"{server}/?text=A+dog+sleeps.")
    expect(kept.locator(".viz-overview").get_by_role("alert")).to_have_text(said)
    expect(kept.get_by_role("heading", name="Try this")).to_be_visible()  # the rest of the page stays
    kept.unroute("**/data/overview?*")
    kept.route("**/data/next_token?*", lambda route: route.abort())  # as where the server is away
    kept.evaluate(TURN, f"{server}/output?text=A+dog+sleeps.")
    expect(kept.get_by_role("heading", name="Try this")).to_be_visible()
    expect(kept.locator(".viz-next-token .bars")).to_have_count(0)
    kept.unroute("**/data/next_token?*")
    expect(kept.locator(".viz-next-token .bars")).to_be_visible()


def test_while_the_server_is_away_the_flow_goes_on_and_what_one_does_until_it_answers_holds(
    kept: Page, server: str, picture: Locator
) -> None:
    waiting: list[Route] = []

    def hold(route: Route) -> None:
        waiting.append(route)

    kept.route(FILES, lambda route: route.abort())
    turn_to(kept, f"{server}/?text=The+dogs+sleep+again.")
    press(kept, "cross")
    expect(kept.locator(".opens[data-opens=cross]")).to_have_attribute("aria-expanded", "false")
    kept.unroute(FILES)
    kept.route(FILES, hold)
    press(kept, "ffn")
    for key in ("Escape", "ArrowRight"):
        kept.keyboard.press(key)
    press(kept, "cross")
    kept.keyboard.press("ArrowRight")
    expect(kept.locator(".viz-player .label")).to_contain_text("step 3 ")
    expect(picture).to_be_hidden()
    waiting[0].continue_()
    expect(picture).to_have_attribute("aria-label", re.compile("^Cross attention, softmax, layer 1, head 1: 3 queries in rows"))
    assert len(waiting) == 1
