"""The page that computes in the browser beside the same page served by PyTorch, in one run.

    python -m benchmarks.site [--sentences 30]

Chromium itself (`Emulation.setCPUThrottlingRate`) slows a page but not its workers, as the first lines of the output show, so a tab
is slowed as a whole: its process is stopped for 3 of 4 or 5 of 6 parts of the time. On a busy machine the CPU time of that process
says more than the time that passed.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from statistics import median
from typing import TYPE_CHECKING

import psutil

from benchmarks.__main__ import machine
from benchmarks.browser import SIZE, WATCH, answer, chromium
from benchmarks.measure import Row, table
from benchmarks.server import answers, server
from benchmarks.stepping import ANOTHER, LISTEN, STAGE, press
from benchmarks.subject import ROOT

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

SLOWER = (1, 4, 6)
AIMS = {1: 250, 4: 1000, 6: 1500}
"""ms from Enter to the picture of a new sentence."""
FIRST = 1500
"""ms from the address to the first picture, from a warm cache."""
MEMORY = 250
"""MB of the tab's process after 100 sentences, at rest."""
REST = 10
"""Seconds after which the browser has freed what nobody uses any more, such as canvases of earlier sentences."""
READY = "() => !document.documentElement.hasAttribute('data-busy')"
SPIN = """() => {
    const began = performance.now();
    for (let i = 0, x = 1; i < 2e7; i += 1) x = (x * 3 + i) % 97;
    return performance.now() - began;
}"""
SLOW = """
import os, select, signal, sys, time
pid, rate = map(int, sys.argv[1:])
while rate > 1 and not select.select([sys.stdin], [], [], 0.01)[0]:
    os.kill(pid, signal.SIGSTOP)
    time.sleep(0.01 * (rate - 1))
    os.kill(pid, signal.SIGCONT)
"""
IN_WORKER = f"""() => new Promise((done) => {{
    const worker = new Worker(URL.createObjectURL(new Blob([`postMessage(({SPIN})())`])));
    worker.onmessage = ({{ data }}) => done(data);
}})"""
NAMES = ["Anna", "Ben", "Clara", "David", "Emma", "Felix", "Henry", "Ida", "Jack", "Kate", "Leo", "Mia"]
THINGS = ["apples", "books", "cats", "dogs", "eggs", "flowers", "hats", "keys", "lamps", "pens"]
SENTENCES = [f"My old friend {name} has bought seven green {thing} for her sister." for thing in THINGS for name in NAMES]
"""Of 12 words, and no two alike."""


@dataclass
class Tab:
    """One of both sources, and the process that draws it."""

    page: Page
    process: psutil.Process

    def spent(self) -> float:
        """CPU time so far, in ms."""
        times = self.process.cpu_times()
        return 1000 * (times.user + times.system)

    def memory(self) -> float:
        """The memory that ending the process would free, in MB."""
        return float(self.process.memory_full_info().uss) / 1e6

    @contextmanager
    def slowed(self, rate: int) -> Iterator[None]:
        """Inside, its process runs in one of so many parts of the time."""
        with subprocess.Popen([sys.executable, "-c", SLOW, str(self.process.pid), str(rate)], stdin=subprocess.PIPE) as slow:
            yield
            slow.communicate()

    def type(self, text: str) -> float:
        """Types a sentence and returns the ms from Enter to its picture."""
        self.page.wait_for_function(READY)
        self.page.locator(".line.source button.edit").first.click()
        self.page.keyboard.press("ControlOrMeta+a")
        self.page.keyboard.insert_text(text)
        self.page.evaluate(ANOTHER)
        return answer(self.page, lambda: self.page.keyboard.press("Enter"))


@contextmanager
def site() -> Iterator[str]:
    """The address of a site with en-de, written now."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            """Nothing."""

    with tempfile.TemporaryDirectory() as folder:
        pages = "overview,cross_attention,residual"
        subprocess.run([sys.executable, "-m", "viz_core", "site", "--out", folder, "--pages", pages], cwd=ROOT, check=True)
        with ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=folder)) as web:
            threading.Thread(target=web.serve_forever, daemon=True).start()
            yield f"http://127.0.0.1:{web.server_port}"
            web.shutdown()


def opened(browser: Browser, url: str) -> tuple[Tab, float]:
    """A page in a tab of its own, opened for the second time, and the ms until its picture."""
    context = browser.new_context(viewport=SIZE)
    before = set(renderers())
    page = context.new_page()
    page.add_init_script(f"({WATCH})()")
    page.goto(url)
    page.wait_for_function(STAGE, timeout=120_000)
    page.wait_for_function(READY, timeout=120_000)
    process = max(set(renderers()) - before or before, key=lambda each: each.memory_info().rss)
    times = []
    for _ in range(3):
        page.goto("about:blank")
        began = time.perf_counter()
        page.goto(url)
        page.wait_for_function(STAGE, timeout=120_000)
        times.append(1000 * (time.perf_counter() - began))
        page.wait_for_function(READY, timeout=120_000)
    page.evaluate(LISTEN)
    return Tab(page, process), median(times)


def renderers() -> Iterator[psutil.Process]:
    """The processes of Chromium's tabs that this one has started."""
    for process in psutil.Process().children(recursive=True):
        with contextlib.suppress(psutil.Error):
            if "--type=renderer" in process.cmdline():
                yield process


def rows(browser: Browser, ours: str, theirs: str, count: int) -> Iterator[Row]:
    """Both sources in turns. ours: the address of the page that computes; theirs: of the served one."""
    (here, first), (there, other) = opened(browser, ours), opened(browser, theirs)
    yield from both("first picture from a warm cache", first, other, FIRST)
    sentences = iter(SENTENCES)
    for rate in SLOWER:
        times: list[tuple[float, float, float]] = []
        for text in [next(sentences) for _ in range(5)]:
            before = here.spent()
            with here.slowed(rate):
                one = here.type(text)
                here.page.wait_for_function(READY)
            spent = here.spent() - before
            with there.slowed(rate):
                times.append((one, there.type(text), spent))
        one, two, spent = (median(each) for each in zip(*times, strict=True))
        yield from both(f"new sentence of 12 words, tab slowed {rate} ×", one, two, AIMS[rate])
        yield Row("  CPU time of the tab, drawing and typing included", spent)
    keys = [median(press(tab.page, 60, 15).times) for tab in (here, there)]
    yield from both("key to painted frame", keys[0], keys[1])
    started, typed = here.memory(), 5 * len(SLOWER)
    for text in [next(sentences) for _ in range(typed, count)]:
        here.type(text), there.type(text)
    what = f"memory of the tab after {max(typed, count)} sentences"
    yield from both(f"{what}, at once ({started:.0f} MB after {typed})", here.memory(), there.memory(), unit="MB")
    time.sleep(REST)
    yield from both(f"{what}, {REST} s later", here.memory(), there.memory(), MEMORY, "MB")


def both(what: str, ours: float, theirs: float, aim: float | None = None, unit: str = "ms") -> Iterator[Row]:
    """Two rows, since an aim beside a ratio would be one for the ratio."""
    yield Row(what, ours, aim=aim, unit=unit)
    yield Row("  the same / the page served by PyTorch", ours, theirs, unit=unit)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measures and prints."""
    parser = argparse.ArgumentParser("python -m benchmarks.site", description=__doc__)
    parser.add_argument("--sentences", type=int, default=100, help="typed before the memory is read (default: %(default)s)")
    parser.add_argument("--site", help="address of a site that is served already")
    chosen = parser.parse_args(arguments)
    print(machine())
    with chromium() as browser, server() as (_, url), contextlib.nullcontext(chosen.site) if chosen.site else site() as address:
        answers(url, "/ready")
        page = browser.new_page()
        at_first = [page.evaluate(SPIN), page.evaluate(IN_WORKER)]
        page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": 4})
        slowed = [page.evaluate(SPIN), page.evaluate(IN_WORKER)]
        page.close()
        print(f"Slowed 4 ×: the page {slowed[0] / at_first[0]:.1f} ×, a worker {slowed[1] / at_first[1]:.1f} ×.")
        pages = f"{address}/cross_attention/?show=model", f"{url}/cross_attention?show=model"
        print(table(list(rows(browser, *pages, chosen.sentences))))
    return 0


if __name__ == "__main__":
    sys.exit(main())
