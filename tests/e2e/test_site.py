"""What a site alone has to do: its addresses, its files, and to work without a server. What it shows: test_every_page.py."""

import hashlib
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e.conftest import SIZE
from tests.e2e.driving import follows, open_at, settle, step_label
from tests.e2e.servers import served
from tests.pages.test_all_pages import NAMES
from viz_core.app.site.served import write_offline

pytestmark = pytest.mark.e2e
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
def visitor(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport=SIZE, reduced_motion="reduce")
    yield context.new_page()
    context.close()


def test_a_frame_stays_one_on_other_pages_and_what_was_recorded_is_shown_as_such(visitor: Page, site: str) -> None:
    open_at(visitor, f"{site}cross_attention/?embed=on&text=I love you.")
    visitor.get_by_role("button", name="In the overview").click()
    follows(visitor, open="cross", embed="on")
    open_at(visitor, f"{site}code/?show=untrained&text=Two+dogs.")  # which the engine does not compute
    expect(visitor.locator(".at-notes")).to_contain_text("Recorded with “")
    expect(visitor.locator(".viz-untrained-steps canvas")).to_be_visible()
    open_at(visitor, f"{site}training/?show=gradient&step=2")
    expect(visitor.locator(".at-absent")).to_contain_text("sofa.” at step 1, layer 1, head 1")


def test_a_sentence_that_cannot_be_read(visitor: Page, site: str) -> None:
    """Nothing is lost: what is wrong is said, and another sentence works."""
    open_at(visitor, f"{site}output/?text=%E2%80%8B&step=999&temperature=x&no=1&model=constructor&talk=__proto__")
    expect(visitor.locator(".at-status")).to_contain_text("no word")
    visitor.get_by_role("textbox", name="Source").fill("never " * 200)
    visitor.keyboard.press("Enter")
    expect(visitor.locator(".at-notes")).to_contain_text("39 tokens")
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
    expect(visitor.locator(".viz-top-bar .line.source")).to_contain_text("g")
    open_at(visitor, f"{site}output/")
    visitor.route("**/engine.js", lambda route: route.abort())
    visitor.reload()  # the opening sentence waits for no model any more
    expect(visitor.locator(".viz-next-token .bars")).to_be_visible()
    context.close()


def test_a_new_version_takes_only_the_files_that_differ_and_needs_no_server_either(
    browser: Browser, folder: Path, tmp_path: Path
) -> None:
    tab = browser.new_context(viewport=SIZE).new_page()
    asked: list[str] = []
    folder = shutil.copytree(folder, tmp_path / "a copy")
    digest = re.search(r'"digests": \["(\w+)', (folder / "sw.js").read_text("utf-8"))
    assert digest
    with served(folder) as root:
        open_at(tab, root)
        tab.evaluate(KEPT, ["en/other/why.json", "qr.js", "model.safetensors"])
        script = folder / "app.js"
        script.write_text(f"{script.read_text('utf-8')}\nglobalThis.isNewer = true;\n", "utf-8")
        write_offline(folder, NAMES, [digest[1]])
        tab.context.on("request", lambda request: asked.append(request.url) if request.service_worker else None)
        open_at(tab, root)
        tab.evaluate(KEPT, [f"app.js?of={hashlib.sha256(script.read_bytes()).hexdigest()[:12]}"])
        tab.evaluate(ACTIVE)
    assert [url for url in asked if not url.endswith("sw.js")] == [f"{root}app.js"]
    open_at(tab, f"{root}output?text=My+dog+loves+you.&step=2")  # without the slash, which the server would add
    assert step_label(tab)[0] == 2  # of a sentence that nobody has typed before
    expect(tab.locator(".at-below .katex").first).to_be_visible()
    assert tab.evaluate("globalThis.isNewer")
    tab.keyboard.press("q")
    expect(tab.locator("dialog.share img")).to_be_visible()
    tab.context.close()
