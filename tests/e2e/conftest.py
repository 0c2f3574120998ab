"""A real server and a real browser, both on this machine."""

import base64
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import streamlit
from playwright.sync_api import Browser, Page, ViewportSize, WebSocket, expect, sync_playwright
from streamlit.proto.BackMsg_pb2 import BackMsg

from tests.conftest import MakeModel
from tests.e2e import bare
from tests.e2e.driving import Frames, Source, open_at
from tests.e2e.servers import build, held, served, shared, write_site
from tests.pages.test_all_pages import NAMES
from tests.pages.test_odd_shapes import LEARNED, with_pieces
from viz_core import checkpoint as checkpoints
from viz_core.browser.overview_payload import overview_payload
from viz_core.checkpoint import Checkpoint
from viz_core.explain import Explanation, explain

FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-sync"]
SIZE: ViewportSize = {"width": 1280, "height": 720}
expect.set_options(timeout=20_000)  # other tests run beside


@pytest.fixture(scope="session")
def common(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of all processes that test."""
    own = tmp_path_factory.getbasetemp()
    return own.parent if "PYTEST_XDIST_WORKER" in os.environ else own


@pytest.fixture(scope="session")
def models(common: Path, make_model: MakeModel) -> dict[str, str]:
    """The variable for a process that offers the model `other`, which computes otherwise than the paper's in every respect. Once it
    is there, so are the scripts that the sources give.
    """
    with held(common / "made") as found:
        if not found:
            build()
            checkpoints.save(common / "models" / "other", with_pieces(make_model, LEARNED))
            found["is"] = True
    return {"VIZ_CHECKPOINTS": str(common / "models")}


@pytest.fixture(scope="session")
def server(common: Path, models: dict[str, str]) -> Iterator[str]:
    """The address of the app that all tests share."""
    with shared(common, **models) as url:
        yield url


@pytest.fixture(scope="session")
def folder(common: Path, models: dict[str, str]) -> Path:
    """The site that all tests share, of the model `other`: all pages in both languages, below a path."""
    path = common / "web" / "some where"
    write_site(path, models, models="other", languages="en,zh")
    return path


@pytest.fixture(scope="session")
def site(folder: Path) -> Iterator[str]:
    """The address of the site that all tests share."""
    with served(folder) as address:
        yield address


@pytest.fixture(scope="session")
def slow(common: Path) -> Iterator[str]:
    """The address of an app that is under load, see `slow.py`."""
    with shared(common, "tests.e2e.slow") as url:
        yield url


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The system's Chromium, without windows where it has such a one, else the one that playwright brought."""
    with chromium() as found:
        yield found


@contextmanager
def chromium() -> Iterator[Browser]:
    names = "chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"
    path = next((found for found in map(shutil.which, names) if found), None)
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield found
        found.close()


@dataclass
class Warm:
    """A tab that all tests share: its process has compiled the app's scripts, so that a page takes half of the time.

    Attributes:
        frames: what has gone over Streamlit's websocket.
        shows: whether it shows the app, in a state of which the address says all.
    """

    tab: Page
    frames: Frames = field(default_factory=lambda: ([], []))
    shows: bool = False


@pytest.fixture(scope="session")
def warm(browser: Browser) -> Iterator[Warm]:
    """The tab that all tests share."""
    shared = Warm(browser.new_context(viewport=SIZE).new_page())
    shared.tab.on("websocket", lambda socket: hear(socket, shared.frames))
    yield shared
    shared.tab.context.close()


@pytest.fixture(scope="session")
def trained(browser: Browser, common: Path, models: dict[str, str]) -> Iterator[tuple[Warm, str]]:
    """A tab for all tests of a site of the shipped model, and its address: with lesson, exercises and two talks, in English."""
    path = common / "trained" / "site"
    write_site(path, models, pages=",".join(name for name in NAMES if name not in ("training", "heads", "code")))
    with served(path) as address:
        tab = browser.new_context(viewport=SIZE, service_workers="block").new_page()
        yield Warm(tab), address
        tab.context.close()


@pytest.fixture
def page(warm: Warm, server: str) -> Iterator[Page]:
    """A tab as good as new. The test fails if a request leaves the machine or the page throws."""
    warm.shows = False
    _forget(warm.tab, server)
    with _as_usual(warm.tab, server):
        yield warm.tab


@pytest.fixture
def kept(request: pytest.FixtureRequest, warm: Warm, server: str) -> Iterator[Page]:
    """A tab in which the app is open, for `turn_to`, and for tests that change nothing which an address does not say."""
    with _kept(request, warm, server):
        yield warm.tab


def _source(request: pytest.FixtureRequest) -> Iterator[Source]:
    is_site, is_new = request.param == "site", request.fixturename == "anew"
    warm, root = request.getfixturevalue("trained") if is_site else map(request.getfixturevalue, ("warm", "server"))
    warm.shows &= not is_new
    with _kept(request, warm, root):
        yield Source(warm.tab, root if is_site else f"{root}/", is_site)
    warm.shows &= not is_new


source, anew = (pytest.fixture(_source, params=["app", "site"], name=name) for name in ("source", "anew"))  # type: ignore[call-overload]
"""The app, and a site of the shipped model, each in a tab: in which it is open, as `kept`; and as good as new."""


@contextmanager
def _kept(request: pytest.FixtureRequest, warm: Warm, root: str) -> Iterator[None]:
    if not warm.shows:
        _forget(warm.tab, root)
        open_at(warm.tab, root)
    warm.shows, failed = False, request.session.testsfailed
    with _as_usual(warm.tab, root):
        warm.tab.keyboard.press("Tab")  # after a click all keys are the player's
        warm.tab.evaluate("document.activeElement.blur(); (document.querySelector('#root main') ?? window).scrollTo(0, 0)")
        yield
        warm.shows = request.session.testsfailed == failed  # what hangs would else fail the next test, too


@contextmanager
def new_tab(browser: Browser, server: str) -> Iterator[Page]:
    tab = browser.new_context(viewport=SIZE, reduced_motion="reduce", service_workers="block").new_page()
    with watched(tab, server):
        yield tab
        tab.context.close()


@pytest.fixture(scope="module")
def sources(request: pytest.FixtureRequest, browser: Browser, server: str, site: str) -> Iterator[list[Source]]:
    """The app and the site, each in a new tab of the module, which runs its `SCRIPTS` before those of a page."""
    with new_tab(browser, server) as one, new_tab(browser, site) as other:
        app, static = Source(one, f"{server}/"), Source(other, site, is_site=True)
        one.on("websocket", lambda socket: hear(socket, (app.asked, app.asked)))
        other.on("request", lambda request: static.asked.extend([request.url] * (request.resource_type != "font")))
        for tab in (one, other):
            tab.add_init_script(";\n".join(request.module.SCRIPTS))
        yield [app, static]


@pytest.fixture
def frames(warm: Warm) -> Frames:
    """What goes over the websocket of the shared tab from now on: the messages to the server, and the sizes of those from it."""
    for heard in warm.frames:
        heard.clear()
    return warm.frames


def hear(socket: WebSocket, frames: Frames) -> None:
    """Keeps what goes over a websocket of Streamlit's."""
    to, of = frames

    def sent(data: str | bytes) -> None:
        message = BackMsg.FromString(data if isinstance(data, bytes) else data.encode())
        if message.WhichOneof("type") == "rerun_script":
            to.append(message)

    socket.on("framesent", sent)
    socket.on("framereceived", lambda data: of.append(len(data)))


def _forget(tab: Page, root: str) -> None:
    tab.goto(f"{root}/parts/alive")  # a site has no such file, and no script there either
    tab.evaluate("localStorage.clear(); sessionStorage.clear()")
    tab.context.clear_cookies()


@contextmanager
def _as_usual(tab: Page, server: str) -> Iterator[None]:
    """The shared tab in the usual size and theme, in which nothing moves; afterwards without routes and other tabs."""
    tab.set_viewport_size(SIZE)
    tab.emulate_media(color_scheme="null", reduced_motion="reduce")
    tab.mouse.move(0, 0)
    with watched(tab, server):
        yield
    tab.unroute_all(behavior="ignoreErrors")
    for other in tab.context.pages:
        if other is not tab:
            other.close()


@contextmanager
def watched(tab: Page, server: str) -> Iterator[None]:
    """Fails at the end if a request has left the machine or the page has thrown."""
    left: list[str] = []
    thrown: list[str] = []
    own = (server, server.replace("http", "ws", 1), "data:", "blob:")
    hear: dict[str, Callable[..., None]] = {
        "request": lambda request: None if request.url.startswith(own) else left.append(request.url),
        "pageerror": lambda error: thrown.append(error.stack or str(error)),
    }
    tab.set_default_timeout(60_000)
    for event, heard in hear.items():
        tab.on(event, heard)  # type: ignore[call-overload]
    yield
    for event, heard in hear.items():
        tab.remove_listener(event, heard)
    assert not left, f"requests left the machine: {left}"
    assert not thrown, thrown


@pytest.fixture(scope="session")
def offline() -> list[Page]:
    """The tab without a network that the next test may have, if there is one."""
    return []


@pytest.fixture
def tab(browser: Browser, offline: list[Page]) -> Iterator[Page]:
    """A tab without a network. The test fails if the page asks for anything, throws, or breaks its own policy.

    Each begins with an empty page; in the old process, with compiled scripts, unless the last test left a file's storage.
    """
    tab = offline.pop() if offline else browser.new_context(offline=True).new_page()
    tab.set_viewport_size(SIZE)
    tab.emulate_media(color_scheme="null", reduced_motion="null", forced_colors="null")
    told: list[str] = []
    asked: list[str] = []
    own = ("file:", "blob:", "data:", "about:")
    hear: dict[str, Callable[..., None]] = {
        "pageerror": lambda error: told.append(str(error)),
        "console": lambda message: told.append(message.text) if message.type == "error" else None,
        "request": lambda request: None if request.url.startswith(own) else asked.append(request.url),
    }
    for event, heard in hear.items():
        tab.on(event, heard)  # type: ignore[call-overload]
    yield tab
    for event, heard in hear.items():
        tab.remove_listener(event, heard)
    if tab.url == "about:blank" and tab.context.pages == [tab]:
        tab.mouse.move(0, 0)
        tab.goto("about:blank")
        tab.context.clear_permissions()
        offline.append(tab)
    else:
        tab.context.close()
    assert not told
    assert not asked


@pytest.fixture(scope="session")
def font() -> str:
    """The font and the size of letters of the app, as Streamlit brings them."""
    (path,) = (Path(streamlit.__file__).parent / "static" / "static" / "media").glob("SourceSansVF-Upright*.woff2")
    url = f"data:font/woff2;base64,{base64.b64encode(path.read_bytes()).decode()}"
    return f'@font-face {{ font-family: "Source Sans"; src: url({url}); font-weight: 200 900; }} html {{ font-size: 18px; }}'


HOSTILE = "</script><b>x</b> $x$** 🐱"


@pytest.fixture(scope="session")
def explained(checkpoint: Checkpoint) -> Explanation:
    """For parts on a page of their own."""
    return explain(checkpoint, f"The otter {HOSTILE} hides.", "Der Otter bemalt die Karte.")


Overview = Callable[..., Explanation]


@pytest.fixture
def overview(tab: Page, shipped: Checkpoint, font: str) -> Overview:
    """Shows the overview of a sentence below where the frame of the app would stand."""

    def shown(
        text: str = "The cat is sleeping on the sofa.", target: str | None = None, *, of: Checkpoint = shipped, width: int = 1132,
        still: bool = True, **view: object,
    ) -> Explanation:  # fmt: skip
        explanation = explain(of, text, target)
        place: dict[str, Any] = {"page": "overview", "stages": "open", "width": width, "above": 108, "style": font, "still": still}
        bare.mount(tab, "overview", overview_payload(explanation, of.tokenizer), explanation, view, **place)
        return explanation

    return shown
