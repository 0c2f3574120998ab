"""The server goes away and comes back; two tabs do not disturb each other."""

import re
import signal
import subprocess
import time
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.conftest import free_port, started
from tests.e2e.driving import follows, go_to, open_at, settle, step_label, turn_to
from tests.e2e.relay import Relay

pytestmark = pytest.mark.e2e
STORE = "globalThis[Symbol.for('viz_core.store')]"


@pytest.fixture
def own_server() -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """A server of this test's own, which it may stop."""
    with started() as running:
        yield running


def test_stepping_goes_on_without_the_server_which_hears_of_it_afterwards(
    browser: Browser, own_server: tuple[subprocess.Popen[bytes], str]
) -> None:
    process, url = own_server
    page = browser.new_page(viewport={"width": 1280, "height": 720})
    open_at(page, f"{url}/cross_attention?text=Where+is+the+train+station%3F")
    process.send_signal(signal.SIGSTOP)  # as if the network were gone
    expect(page.locator(".viz-player .away")).to_be_visible(timeout=20_000)
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    page.wait_for_timeout(200)
    assert step_label(page)[0] == 4
    assert page.locator("[role=dialog]:visible").count() == 0
    process.send_signal(signal.SIGCONT)
    expect(page.locator(".viz-player .away")).to_be_hidden(timeout=20_000)
    follows(page, step="4")
    assert step_label(page)[0] == 4
    page.close()


def test_another_server_goes_on_with_what_was_shown(browser: Browser) -> None:
    port, page = free_port(), browser.new_page(viewport={"width": 1280, "height": 720})
    with started(port=port) as (process, url):
        open_at(page, f"{url}/cross_attention?text=I+love+you.&step=2&head=3")
        process.kill()
        process.wait()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("location.search.includes('step=3')")  # the address follows without a server
    session = page.evaluate(f"{STORE}.session()")
    with started(port=port):
        page.wait_for_function(f"{STORE}.session() !== '{session}'", timeout=60_000)  # it begins by itself
        settle(page)
        assert step_label(page)[0] == 3
        go_to(page, "output")
        follows(page, text="I love you.", step="3", head="3")
        expect(page.locator(".viz-top-bar .row").first).to_contain_text("love")
    page.close()


def test_what_the_reader_did_last_stays_however_soon_another_server_answers(browser: Browser) -> None:
    """Keys before, while and after the connection is gone, in a talk: its view would be the server's own choice."""
    relay, page = Relay(free_port()), browser.new_page(viewport={"width": 1280, "height": 720})
    page.set_default_timeout(90_000)
    with started() as (_, one), started("tests.e2e.slow") as (_, other):
        relay.up(urlsplit(one).port or 0)
        open_at(page, f"http://127.0.0.1:{relay.port}/?talk=what-heads-do&at=28&lecture=on")
        # one that is slow and has never run the script; one that knows another session
        for server, away in ((other, 0.2), (one, 1.5)):
            session = page.evaluate(f"{STORE}.session()")
            relay.down()
            gone, head = time.monotonic(), 0
            while page.evaluate(f"{STORE}.session()") == session:
                if relay.is_down and time.monotonic() - gone > away:
                    relay.up(urlsplit(server).port or 0)
                head = head % 8 + 1
                page.keyboard.press(str(head))
                assert page.evaluate(f"{STORE}.view.head") == head - 1
                page.wait_for_timeout(80)
            follows(page, head=str(head) if head > 1 else None, talk="what-heads-do", at="28")
            assert page.evaluate(f"{STORE}.view.head") == head - 1
            page.reload()
            settle(page)
            assert page.evaluate(f"{STORE}.view.head") == head - 1
    page.close()
    relay.down()


def test_a_model_that_was_chosen_while_the_server_was_away_is_taken(browser: Browser, server: str) -> None:
    relay, page = Relay(free_port()), browser.new_page(viewport={"width": 1280, "height": 720})
    page.set_default_timeout(90_000)
    relay.up(urlsplit(server).port or 0)
    open_at(page, f"http://127.0.0.1:{relay.port}/tokens?text=I+love+you.")
    relay.down()
    page.locator(".viz-top-bar select.model").select_option("en-fr")
    page.wait_for_timeout(300)
    relay.up(urlsplit(server).port or 0)
    follows(page, model="en-fr", text="I love you.")
    expect(page.locator(".viz-top-bar .row").nth(1)).to_contain_text("aime")
    page.close()
    relay.down()


def test_back_while_the_server_is_away_is_done_once_it_is_there(browser: Browser, server: str) -> None:
    relay, page = Relay(free_port()), browser.new_page(viewport={"width": 1280, "height": 720})
    page.set_default_timeout(90_000)
    relay.up(urlsplit(server).port or 0)
    open_at(page, f"http://127.0.0.1:{relay.port}/cross_attention?text=I+love+you.")
    page.keyboard.press("ArrowRight")
    follows(page, step="2")
    go_to(page, "output")
    for name, step in (("cross_attention", 2), ("cross_attention", 1)):  # to another page, then within it
        relay.down()
        page.evaluate("history.back()")
        page.wait_for_timeout(300)
        relay.up(urlsplit(server).port or 0)
        page.wait_for_function(f"{STORE}.limits.page === '{name}' && {STORE}.view.step === {step - 1}")
        settle(page)
        assert urlsplit(page.url).path == f"/{name}"
        assert step_label(page)[0] == step
    page.close()
    relay.down()


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
