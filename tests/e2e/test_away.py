"""The server goes away and comes back; two tabs do not disturb each other."""

import re
import time
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.driving import follows, go_to, open_at, settle, step_label, turn_to
from tests.e2e.relay import Relay

pytestmark = pytest.mark.e2e
STORE = "globalThis[Symbol.for('viz_core.store')]"


@pytest.fixture
def relay(server: str) -> Iterator[Relay]:
    """Between the browser and the app that all tests share, or another one."""
    relay = Relay()
    relay.up(server)
    yield relay
    relay.down()


@pytest.fixture
def far(browser: Browser, relay: Relay) -> Iterator[Page]:
    """A tab whose server may go away."""
    page = browser.new_page(viewport={"width": 1280, "height": 720})
    page.set_default_timeout(90_000)
    yield page
    page.close()


def test_stepping_goes_on_without_the_server_which_hears_of_it_afterwards(far: Page, relay: Relay) -> None:
    open_at(far, f"{relay.url}/cross_attention?text=Where+is+the+train+station%3F")
    relay.passes.clear()
    expect(far.locator(".viz-player .away")).to_be_visible(timeout=20_000)
    for _ in range(3):
        far.keyboard.press("ArrowRight")
    far.wait_for_timeout(200)
    assert step_label(far)[0] == 4
    assert far.locator("[role=dialog]:visible").count() == 0
    relay.passes.set()
    expect(far.locator(".viz-player .away")).to_be_hidden(timeout=20_000)
    follows(far, step="4")
    assert step_label(far)[0] == 4


def test_another_server_goes_on_with_what_was_shown(far: Page, relay: Relay, slow: str) -> None:
    open_at(far, f"{relay.url}/cross_attention?text=I+love+you.&step=2&head=3")
    relay.down()
    far.keyboard.press("ArrowRight")
    far.wait_for_function("location.search.includes('step=3')")  # the address follows without a server
    session = far.evaluate(f"{STORE}.session()")
    relay.up(slow)
    far.wait_for_function(f"{STORE}.session() !== '{session}'")  # it begins by itself
    settle(far)
    assert step_label(far)[0] == 3
    go_to(far, "output")
    follows(far, text="I love you.", step="3", head="3")
    expect(far.locator(".viz-top-bar .row").first).to_contain_text("love")


def test_what_the_reader_did_last_stays_however_soon_another_server_answers(
    far: Page, relay: Relay, server: str, slow: str
) -> None:
    """Keys before, while and after the connection is gone, in a talk: its view would be the server's own choice."""
    open_at(far, f"{relay.url}/?talk=what-heads-do&at=28&lecture=on")
    for other, away in ((slow, 0.2), (server, 1.5)):  # one that is slow; one that knows another session
        session = far.evaluate(f"{STORE}.session()")
        relay.down()
        gone, head = time.monotonic(), 0
        while far.evaluate(f"{STORE}.session()") == session:
            if relay.is_down and time.monotonic() - gone > away:
                relay.up(other)
            head = head % 8 + 1
            far.keyboard.press(str(head))
            assert far.evaluate(f"{STORE}.view.head") == head - 1
            far.wait_for_timeout(80)
        follows(far, head=str(head) if head > 1 else None, talk="what-heads-do", at="28")
        assert far.evaluate(f"{STORE}.view.head") == head - 1
        far.reload()
        settle(far)
        assert far.evaluate(f"{STORE}.view.head") == head - 1


def test_a_model_that_was_chosen_while_the_server_was_away_is_taken(far: Page, relay: Relay, server: str) -> None:
    open_at(far, f"{relay.url}/tokens?text=I+love+you.")
    relay.down()
    far.locator(".viz-top-bar select.model").select_option("en-fr")
    far.wait_for_timeout(300)
    relay.up(server)
    follows(far, model="en-fr", text="I love you.")
    expect(far.locator(".viz-top-bar .row").nth(1)).to_contain_text("aime")


def test_back_while_the_server_is_away_is_done_once_it_is_there(far: Page, relay: Relay, server: str) -> None:
    open_at(far, f"{relay.url}/cross_attention?text=I+love+you.")
    far.keyboard.press("ArrowRight")
    follows(far, step="2")
    go_to(far, "output")
    for name, step in (("cross_attention", 2), ("cross_attention", 1)):  # to another page, then within it
        relay.down()
        far.evaluate("history.back()")
        far.wait_for_timeout(300)
        relay.up(server)
        far.wait_for_function(f"{STORE}.limits.page === '{name}' && {STORE}.view.step === {step - 1}")
        settle(far)
        assert urlsplit(far.url).path == f"/{name}"
        assert step_label(far)[0] == step


def test_two_tabs_show_two_sentences(browser: Browser, server: str) -> None:
    one, other = (browser.new_page(viewport={"width": 1280, "height": 720}) for _ in range(2))
    open_at(one, f"{server}/output?text=I+love+you.")
    open_at(other, f"{server}/output?text=Where+is+the+train+station%3F&step=2")
    one.keyboard.press("End")
    follows(one, step="5")
    settle(other)
    assert step_label(other) == (2, 6)
    expect(one.locator(".viz-top-bar .row").first).to_contain_text("love")
    expect(other.locator(".viz-top-bar .row").first).to_contain_text("station")
    for page in (one, other):
        page.close()


def test_back_returns_to_the_view_before(kept: Page, server: str) -> None:
    turn_to(kept, f"{server}/output?text=I+love+you.")
    kept.keyboard.press("ArrowRight")
    follows(kept, step="2")
    kept.keyboard.press("6")
    follows(kept, head="6")
    kept.go_back()
    kept.wait_for_function("!location.search.includes('head')")
    settle(kept)
    expect(kept.locator(".viz-player .label")).to_have_text(re.compile("^step 2 "))
    kept.go_back()
    kept.wait_for_function("!location.search.includes('step')")
    settle(kept)
    expect(kept.locator(".viz-player .label")).to_have_text(re.compile("^step 1 "))
    assert re.search("text=I", kept.url)


def test_who_trained_a_model_in_a_session_that_is_gone_is_told(page: Page, server: str) -> None:
    """A new address stands for it: the browser has another session of the server, as after the end of its process."""
    gone = page.get_by_text("The training run of this tab is gone")
    open_at(page, f"{server}/training?show=live")
    page.get_by_role("button", name="Train", exact=True).click()
    page.get_by_role("button", name="Stop").click()
    expect(gone).to_have_count(0)
    open_at(page, f"{server}/output")
    settle(page)
    expect(gone).to_have_count(0)  # which concerns no other page
    open_at(page, f"{server}/training?show=live")
    expect(gone).to_be_visible()
    page.reload()
    settle(page)
    expect(gone).to_have_count(0)
