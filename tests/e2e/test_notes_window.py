"""The speaker's notes window: previews of this view and the next, hidden answers, reloads; and opened talks that outlive one."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.driving import Source, open_at, settle, turn_to
from tests.e2e.test_talk import at

pytestmark = pytest.mark.e2e

MARK = "() => document.querySelectorAll('iframe').forEach((frame) => { frame.contentWindow.marked = true; })"
MARKED = "() => [...document.querySelectorAll('iframe')].map((frame) => frame.contentWindow.marked)"
IN_TAB = "() => [localStorage.getItem('viz-talks'), sessionStorage.getItem('viz-clock'), history.length]"
HOSTILE = "</script><img src=x onerror=document.title='hacked'>"
TALK = f"""title = "{HOSTILE}"
[[view]]
page = "nowhere"
[[view]]
page = "tokens"
title = "First"
note = "Say {HOSTILE}"
[[view]]
page = "output"
title = "{HOSTILE}"
step = 2
hide = "word"
"""


@contextmanager
def notes_of(page: Page) -> Iterator[Page]:
    """The notes window, with both previews in it."""
    settle(page)
    page.mouse.move(400, 300)  # in lecture mode the bar wakes
    page.mouse.move(401, 300)
    with page.expect_popup() as opened:
        page.get_by_role("button", name="Notes window").click()
    expect(opened.value.locator("[data-there]")).to_have_count(2, timeout=60_000)
    yield opened.value


def previews(other: Page, *titles: str) -> None:
    """The preview of this view has the first title, that of the next one the second."""
    for role, expected in zip(("now", "next"), titles, strict=False):
        figure = other.locator(f"[data-role={role}]")
        expect(figure).to_have_attribute("data-there", "", timeout=60_000)
        expect(figure.locator("iframe")).to_be_visible()
        expect(figure.frame_locator("iframe").locator("h1")).to_have_text(expected)


def hidden(other: Page, now: bool, next_one: bool) -> None:
    """Whether «answer hidden» stands below this view, and below the next one."""
    for role, is_hidden in (("now", now), ("next", next_one)):
        expect(other.locator(f"[data-role={role}] .hidden")).to_have_text("answer hidden" if is_hidden else "")


def test_previews_turn_with_the_talk_and_a_reload_of_either_window_leaves_notes_clock_and_keys(anew: Source) -> None:
    page = anew.turn("?talk=twelve-steps&at=10&lecture=on")
    with notes_of(page) as other:
        previews(other, "Stop 7: Many heads at once", "Stop 8: The decoder looks back")
        hidden(other, False, True)
        inside = other.locator("[data-role=now]").frame_locator("iframe")
        expect(inside.locator(".viz-bar")).to_be_hidden()
        other.evaluate(MARK)
        before = other.evaluate(IN_TAB)
        other.keyboard.press("PageDown")
        at(page, 11)
        previews(other, "Stop 8: The decoder looks back", "Stop 9: Back to the English")
        hidden(other, True, True)
        other.keyboard.press("PageDown")  # reveals
        hidden(other, False, True)
        expect(inside.locator("html")).not_to_have_attribute("data-predict", re.compile(""))
        assert other.evaluate(IN_TAB) == before, "a preview keeps nothing"

        other.get_by_role("button", name="Start the clock").click()
        page.evaluate("globalThis[Symbol.for('viz_core.store')].turn(16)")
        at(page, 17)
        expect(other.get_by_text("This is the last view.")).to_be_visible()
        page.reload()
        settle(page)
        other.wait_for_timeout(600)  # until it has asked the new page
        other.keyboard.press("PageUp")
        at(page, 16)
        expect(other.locator("h1")).to_contain_text("Stop 11: The next word")
        assert other.evaluate(MARKED) == [True, True], "no page was loaded again"
        loaded = other.reload()
        assert loaded
        assert anew.is_site or loaded.headers["content-security-policy"].startswith("default-src 'none'; script-src 'sha256-")
        expect(other.get_by_role("button", name="Start it again")).to_be_visible()
        expect(other.locator("h1")).to_contain_text("Stop 11: The next word")


def test_an_opened_talk_plays_without_what_is_wrong_and_outlives_a_reload_until_it_is_closed(page: Page, server: str) -> None:
    open_at(page, server)
    page.get_by_role("button", name="Talks").click()
    page.locator("input[type=file]").set_input_files({"name": "mine.toml", "mimeType": "application/toml", "buffer": TALK.encode()})
    expect(page.get_by_role("button", name=f"Close “{HOSTILE}”")).to_be_visible()
    expect(page.get_by_text(re.compile("Line 3: .*there is no page")).first).to_be_visible()
    settle(page)  # the player, which comes last, keeps it in the browser
    page.goto(f"{server}/?talk=mine&at=1")
    at(page, 1)
    with notes_of(page) as other:
        previews(other, "First", HOSTILE)
        expect(other.locator(".message")).to_have_text(f"Say {HOSTILE}")
        assert other.title() == "Speaker notes"
        other.close()
    page.get_by_role("button", name="Talks").click()
    page.get_by_role("button", name=f"Close “{HOSTILE}”").click()
    expect(page.get_by_role("button", name=f"Close “{HOSTILE}”")).to_have_count(0)
    settle(page)
    turn_to(page, f"{server}/?talk=mine&at=2")
    expect(page.get_by_text("There is no talk named mine")).to_be_visible()
