"""The site computes by itself what the server computes: both show the same words and numbers, and lead the same ways."""

import functools
import hashlib
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.driving import follows, open_at, query, settle, step_label, turn_to
from tests.e2e.test_axe import findings
from viz_core.app.site.served import write_offline
from viz_core.app.site.write import write_site
from viz_core.checkpoint import load

pytestmark = pytest.mark.e2e
MODEL = "en-de-small"
PAGES = {"": ["overview"], "all": ["cross_attention", "output", "decoding", "what_if"]}
TEXT = "Two dogs run </b> 🙂 quickly."
PASSES = "decoding?case=non_autoregressive&count=known&step=2"
VIEWS = "?open=masked&layer=2", "cross_attention?head=2&step=3", PASSES, "what_if?edits=no_positions"
PICTURE = """async () => {
  const { picture } = globalThis[Symbol.for("viz_core.store")];
  if (!picture) return "";
  const drawn = new DOMParser().parseFromString(await picture.svg(), "image/svg+xml");
  return [...drawn.querySelectorAll("text")].map(({ textContent }) => textContent.trim()).filter(Boolean);
}"""
"""All texts of the page's picture, if it has one."""
WORDS = ".viz-top-bar .row, .viz-comparison, .viz-switchboard .message"


KEPT = """async (wanted) => {
  for (let kept = []; !wanted.every((name) => kept.some((url) => url.includes(name))); ) {
    await new Promise((done) => setTimeout(done, 50));
    const caught = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()));
    kept = caught.flat().map(({ url }) => url);
  }
}"""
"""Until the browser has kept these files."""

ACTIVE = """async () => {
  const registered = await navigator.serviceWorker.ready;
  while (registered.installing || registered.waiting || registered.active.state !== "activated")
    await new Promise((done) => setTimeout(done, 50));
}"""


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Nothing."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small site, which does not stand at the server's root."""
    folder: Path = tmp_path_factory.mktemp("web") / "some where"
    for _ in write_site(folder, PAGES, [MODEL], ["en"]):
        pass
    return folder


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The site's address."""
    with ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=folder.parent)) as web:
        threading.Thread(target=web.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{web.server_port}/some%20where/"
        web.shutdown()


@pytest.fixture(scope="module")
def site(folder: Path) -> Iterator[str]:
    with served(folder) as address:
        yield address


@pytest.fixture(scope="module")
def visitor(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 720}, reduced_motion="reduce")
    yield context.new_page()
    context.close()


def test_both_sources_show_the_same(page: Page, server: str, visitor: Page, site: str) -> None:
    open_at(page, server)
    for view in VIEWS:
        path, _, asked = view.partition("?")
        typed = f"?{asked}&text={TEXT}&model={MODEL}"
        turn_to(page, f"{server}/{path}{typed}")
        theirs = page.evaluate(PICTURE), page.locator(WORDS).all_inner_texts()
        open_at(visitor, f"{site}{path and path + '/'}{typed}")
        assert (visitor.evaluate(PICTURE), visitor.locator(WORDS).all_inner_texts()) == theirs
    places = visitor.locator("main > div").evaluate_all("(hosts) => hosts.map(({ dataset }) => dataset.part)")
    assert places == ["switchboard", "comparison", "control", "control", "side_by_side"], "as on the app's page"
    expect(visitor.locator("main .viz-side-by-side")).to_be_visible()


def test_the_address_is_the_state(visitor: Page, site: str) -> None:
    open_at(visitor, site)
    visitor.locator(".line.source button.edit").first.click()
    visitor.keyboard.type("I love you.")
    visitor.keyboard.press("Enter")
    follows(visitor, text="I love you.")
    assert findings(visitor) == []
    expect(visitor.locator(".viz-said").first).to_contain_text("How to read it. A ribbon")
    expect(visitor.locator(".viz-top-bar .line.target")).to_contain_text("liebe")
    for step in ("2", "3"):
        visitor.keyboard.press("ArrowRight")
        follows(visitor, step=step)
    visitor.go_back()
    follows(visitor, step="2")
    visitor.locator(".viz-rail a", has_text="Output").click()
    visitor.wait_for_url(re.compile("/output/"))
    visitor.reload()
    settle(visitor)
    assert query(visitor)["text"] == "I love you." and step_label(visitor)[0] == 2
    visitor.go_back()
    settle(visitor)
    assert visitor.locator("h1").inner_text() == "Overview"


def test_a_frame_stays_one_on_other_pages(visitor: Page, site: str) -> None:
    open_at(visitor, f"{site}cross_attention/?embed=on&text=I love you.")
    visitor.get_by_role("button", name="In the overview").click()
    follows(visitor, open="cross", embed="on")


def test_a_sentence_that_cannot_be_read(visitor: Page, site: str) -> None:
    """Nothing is lost: what is wrong is said, and another sentence works."""
    open_at(visitor, f"{site}output/?text=%E2%80%8B&step=999&temperature=x&no=1&model=constructor&talk=__proto__")
    expect(visitor.locator(".at-status")).to_contain_text("no word")
    visitor.get_by_role("textbox", name="Source").fill("never " * 200)
    visitor.keyboard.press("Enter")
    expect(visitor.locator(".at-notes")).to_contain_text("127")
    expect(visitor.locator(".viz-next-token .bars")).to_be_visible()


def test_a_model_that_does_not_arrive(browser: Browser, site: str) -> None:
    """The page says so, and keeps the sentence; a reload tries again, also after a copy that was kept and is another file."""
    context = browser.new_context(service_workers="block")
    visitor = context.new_page()
    for answer in (lambda route: route.abort(), lambda route: route.fulfill(body="another file")):
        visitor.route("**/model.safetensors*", answer)
        open_at(visitor, f"{site}output/?text=Two+dogs.")
        expect(visitor.locator(".at-status")).to_contain_text("did not arrive whole")
        visitor.unroute_all()
    visitor.reload()
    settle(visitor)
    expect(visitor.locator(".viz-top-bar .line.source")).to_contain_text("dogs")
    context.close()


def test_a_new_version_takes_only_the_files_that_differ_and_needs_no_server_either(browser: Browser, folder: Path) -> None:
    tab = browser.new_context(viewport={"width": 1280, "height": 720}).new_page()
    asked: list[str] = []
    with served(folder) as root:
        open_at(tab, root)
        tab.evaluate(KEPT, ["en/en-de-small/output.json", "qr.js", "model.safetensors"])
        script = folder / "app.js"
        script.write_text(f"{script.read_text('utf-8')}\nglobalThis.isNewer = true;\n", "utf-8")
        write_offline(folder, ["overview", *PAGES["all"]], [load(MODEL).digest])
        tab.context.on("request", lambda request: asked.append(request.url) if request.service_worker else None)
        open_at(tab, root)
        tab.evaluate(KEPT, [f"app.js?of={hashlib.sha256(script.read_bytes()).hexdigest()[:12]}"])
        tab.evaluate(ACTIVE)
    assert [url for url in asked if not url.endswith("sw.js")] == [f"{root}app.js"]
    open_at(tab, f"{root}output?text=My+dog+loves+you.&step=2")  # without the slash, which the server would add
    expect(tab.locator(".viz-top-bar .line.target")).to_contain_text("liebt")  # of a sentence that nobody has typed before
    expect(tab.locator(".at-below .katex").first).to_be_visible()
    assert tab.evaluate("globalThis.isNewer")
    tab.keyboard.press("q")
    expect(tab.locator("dialog.share img")).to_be_visible()
    tab.context.close()
