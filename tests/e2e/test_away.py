"""The server goes away and comes back."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.driving import follows, go_to, open_at, settle, step_label, turn_to
from tests.e2e.relay import Relay

pytestmark = pytest.mark.e2e
STORE = "globalThis[Symbol.for('viz_core.store')]"
IMPATIENT = "const { timeout } = AbortSignal; AbortSignal.timeout = (ms) => timeout.call(AbortSignal, ms / 10);"
"""A server that does not answer is away sooner."""


@pytest.fixture
def relay(server: str) -> Iterator[Relay]:
    """Between the browser and the app that all tests share, or another one."""
    relay = Relay()
    relay.up(server)
    yield relay
    relay.down()


@pytest.fixture(scope="module")
def far(browser: Browser) -> Iterator[Page]:
    """A tab whose server may go away."""
    page = browser.new_page(viewport={"width": 1280, "height": 720})
    page.set_default_timeout(90_000)
    page.add_init_script(IMPATIENT)
    yield page
    page.close()


def back(far: Page, relay: Relay, server: str) -> None:
    """A server is there, to which the page goes on by itself."""
    session = far.evaluate(f"{STORE}.session()")
    relay.up(server)
    far.wait_for_function(f"{STORE}.session() !== '{session}'")
    settle(far)


def test_what_is_done_without_a_server_is_done_once_another_is_there(far: Page, relay: Relay, server: str, slow: str) -> None:
    open_at(far, f"{relay.url}/cross_attention?text=I+love+you.&step=2&head=3")
    relay.passes.clear()  # the network stands still
    expect(far.locator(".viz-player .away")).to_be_visible()
    far.keyboard.press("ArrowRight")
    expect(far.locator(".viz-player .label")).to_contain_text("step 3")
    assert far.locator("[role=dialog]:visible").count() == 0
    relay.passes.set()
    expect(far.locator(".viz-player .away")).to_be_hidden()
    follows(far, step="3")

    go_to(far, "output")
    relay.down()
    far.evaluate("history.back()")
    far.wait_for_function("!document.querySelector('[data-testid=stApp]').matches('[data-test-connection-state=CONNECTED]')")
    relay.up(server)
    far.wait_for_function(f"{STORE}.limits.page === 'cross_attention' && {STORE}.view.step === 2")
    settle(far)

    relay.down()
    far.keyboard.press("ArrowRight")
    far.wait_for_function("location.search.includes('step=4')")  # the address follows without a server
    back(far, relay, slow)
    follows(far, text="I love you.", step="4", head="3")
    assert step_label(far)[0] == 4

    relay.down()
    far.locator(".viz-top-bar select.model").select_option("en-fr")
    back(far, relay, server)
    follows(far, model="en-fr", text="I love you.")
    expect(far.locator(".viz-top-bar .row").nth(1)).to_contain_text("aime")


def test_who_trained_a_model_in_a_session_that_is_gone_is_told(page: Page, server: str) -> None:
    """A new address stands for it: the browser has another session of the server, as after the end of its process."""
    gone = page.get_by_text("The training run of this tab is gone")
    open_at(page, f"{server}/training?show=live")
    page.get_by_role("button", name="Train", exact=True).click()
    page.get_by_role("button", name="Stop").click()
    expect(gone).to_have_count(0)
    open_at(page, f"{server}/output")
    expect(gone).to_have_count(0)  # which concerns no other page
    turn_to(page, f"{server}/training?show=live")
    expect(gone).to_be_visible()
