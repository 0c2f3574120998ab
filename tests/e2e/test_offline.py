"""A site after the first visit: the server is not needed any more."""

import functools
import threading
from http.server import ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.e2e.driving import open_at
from tests.e2e.test_site import MODEL, Quiet
from viz_core.app.living.site import write_site

pytestmark = pytest.mark.e2e
KEPT = """async () => {
  const last = ["en/en-de-small/output.json", "qr.js", "model.safetensors"];
  for (let kept = []; !last.every((name) => kept.some((url) => url.includes(name))); ) {
    await new Promise((done) => setTimeout(done, 50));
    const caught = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()));
    kept = caught.flat().map(({ url }) => url);
  }
}"""
"""Until the browser has kept the last files of a visit."""


def test_it_translates_what_nobody_has_typed_before(browser: Browser, tmp_path: Path) -> None:
    for _ in write_site(tmp_path / "it", {"": ["overview", "output"]}, [MODEL], ["en"]):
        pass
    context = browser.new_context(viewport={"width": 1280, "height": 720})
    tab = context.new_page()
    with ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=tmp_path)) as web:
        threading.Thread(target=web.serve_forever, daemon=True).start()
        root = f"http://127.0.0.1:{web.server_port}/it/"
        open_at(tab, root)
        tab.evaluate(KEPT)
        web.shutdown()
    open_at(tab, f"{root}output/")
    expect(tab.locator(".at-below .katex").first).to_be_visible()
    open_at(tab, f"{root}output?text=My+dog+loves+you.&step=2")  # without the slash, which the server would add
    expect(tab.locator(".viz-top-bar .line.target")).to_contain_text("liebt")
    tab.keyboard.press("q")
    expect(tab.locator("dialog.share img")).to_be_visible()
    context.close()
