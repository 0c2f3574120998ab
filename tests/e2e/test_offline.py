"""A site after the first visit: the browser needs the server only for what is new."""

import functools
import hashlib
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.driving import open_at
from tests.e2e.test_site import MODEL, Quiet
from viz_core.app.site.served import write_offline
from viz_core.app.site.write import write_site
from viz_core.checkpoint import load

pytestmark = pytest.mark.e2e
PAGES = ["overview", "output"]
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


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder: Path = tmp_path_factory.mktemp("web")
    for _ in write_site(folder / "it", {"": PAGES}, [MODEL], ["en"]):
        pass
    return folder


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The site's address."""
    with ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=folder)) as web:
        threading.Thread(target=web.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{web.server_port}/it/"
        web.shutdown()


@pytest.fixture
def tab(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 720})
    yield context.new_page()
    context.close()


def test_a_new_version_takes_only_the_files_that_differ_and_needs_no_server_either(tab: Page, folder: Path) -> None:
    asked: list[str] = []
    with served(folder) as root:
        open_at(tab, root)
        tab.evaluate(KEPT, ["en/en-de-small/output.json", "qr.js", "model.safetensors"])
        script = folder / "it" / "app.js"
        script.write_text(f"{script.read_text('utf-8')}\nglobalThis.isNewer = true;\n", "utf-8")
        write_offline(folder / "it", PAGES, [load(MODEL).digest])
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
