"""A class whose browsers compute (`viz-core app --compute browser`): what the server still gives to each reader.

    python -m benchmarks.live_class [--ramp 50,100] [--model en-de]

One Chromium opens the page as a reader does, and what it requests is noted: at the first visit, then for another page, a new
sentence and a control. Then so many readers arrive, five a second as in `benchmarks.load`, each of whom requests all of the first
visit over connections of their own; the time is that from the address to the last file that the first picture needs. Each then goes
to another page every 10 s, types a sentence every 20 s and uses a control every 3 s, and requests what the browser did for these.
"""

from __future__ import annotations

import argparse
import random
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from statistics import median, quantiles
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from benchmarks.__main__ import machine
from benchmarks.browser import SIZE, chromium
from benchmarks.readers import ARRIVALS, CONTROL, EVERY, FIRST, PAGE, SENTENCE
from benchmarks.server import answers, server
from benchmarks.side import Side

if TYPE_CHECKING:
    from playwright.sync_api import Request

READY = "() => document.querySelector('.viz-stage, canvas, svg') && !document.documentElement.hasAttribute('data-busy')"
PATIENCE = 60.0
"""Seconds to wait for an answer or a picture."""
WRITTEN = 600
"""Seconds within which the server has written its pages."""
SETTLES = 6000
"""ms after a picture in which a browser requests what it keeps for later."""


@dataclass
class Wanted:
    """Addresses that a browser requests.

    Attributes:
        first: by the page, until its first picture.   kept: by its service worker, for later.   after: by the page for each thing
            that a reader does then.
    """

    first: list[str]
    kept: list[str]
    after: dict[str, list[str]] = field(default_factory=dict)


def wanted(url: str) -> Wanted:
    """The requests that reach the server; those answered by the browser's caches do not count."""
    requested: list[Request] = []
    with chromium() as browser:
        page = browser.new_context(viewport=SIZE).new_page()
        page.context.on("request", lambda request: requested.append(request))  # noqa: PLW0108  Playwright sets an attribute of it

        def requests(path: str) -> list[Request]:
            requested.clear()
            page.goto(f"{url}/live/{path}")
            page.wait_for_function(READY, timeout=1000 * PATIENCE)
            page.wait_for_timeout(SETTLES)
            return [each for each in requested if each.url.startswith(url) and not from_worker(each)]

        def from_worker(request: Request) -> bool:
            response = request.response()
            return response is not None and response.from_service_worker

        some = requests("cross_attention")
        kept = [each.url for each in some if each.service_worker]
        needs = Wanted([each.url for each in some if not each.service_worker], kept)
        requests("cross_attention")  # now the service worker has the page
        text = "?text=The+old+man+sees+the+red+car."
        for what, path in {PAGE: "residual", SENTENCE: f"residual{text}", CONTROL: f"residual{text}&stack=decoder"}.items():
            needs.after[what] = [each.url for each in requests(path)]
    return needs


def fetch(url: str) -> int:
    """Requests an address; returns the bytes on the wire."""
    request = urllib.request.Request(url, headers={"Accept-Encoding": "gzip"})
    with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
        return len(answer.read())


class Class:
    """Readers, and what they waited for."""

    def __init__(self, needs: Wanted, seconds: float) -> None:
        self._needs, self._seconds = needs, seconds
        self.times: dict[str, list[float]] = {what: [] for what in (FIRST, *EVERY)}
        self.bytes = 0
        self.errors: list[str] = []

    def come(self, count: int) -> None:
        """Returns once all have left."""
        threads = [threading.Thread(target=self._reader, args=(number,)) for number in range(count)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def _reader(self, number: int) -> None:
        dice = random.Random(number)
        time.sleep(number / ARRIVALS)
        self._timed(FIRST, self._needs.first)
        for address in self._needs.kept:
            self._tried(address)
        until = time.monotonic() + self._seconds
        due = {what: time.monotonic() + dice.uniform(0, seconds) for what, seconds in EVERY.items()}
        while due[what := min(due, key=lambda each: due[each])] < until:
            time.sleep(max(0.0, due[what] - time.monotonic()))
            self._timed(what, self._needs.after[what])
            due[what] = max(due[what] + EVERY[what], time.monotonic())

    def _timed(self, what: str, addresses: Sequence[str]) -> None:
        began = time.perf_counter()
        for address in addresses:
            self._tried(address)
        self.times[what].append(time.perf_counter() - began)

    def _tried(self, address: str) -> None:
        try:
            received = fetch(address)  # first, since readers add up at the same time
            self.bytes += received
        except OSError as error:
            self.errors.append(f"{urlsplit(address).path}: {error}")


@contextmanager
def served(model: str) -> Iterator[Side]:
    """The app with its pages that compute in the browser, once these are written."""
    with server(variables={"VIZ_COMPUTE": "browser", "VIZ_LIVE_MODELS": model}) as (process, url):
        answers(url, "/ready")
        until = time.monotonic() + WRITTEN
        while not _there(f"{url}/live/"):
            if time.monotonic() > until:
                raise TimeoutError("the pages are not written")
            time.sleep(1)
        yield Side("live", url, process.pid, EVERY)


def _there(url: str) -> bool:
    try:
        return fetch(url) > 0
    except OSError:
        return False


def report(side: Side, needs: Wanted, count: int, seconds: float, row: Callable[..., None]) -> list[str]:
    """Prints a row for each thing that a reader does; returns the errors."""
    readers, before, began = Class(needs, seconds), side.cpu(), time.perf_counter()
    readers.come(count)
    took = time.perf_counter() - began
    for what, times in readers.times.items():
        requests = len(needs.first) if what == FIRST else len(needs.after[what])
        p95 = quantiles(times, n=20)[-1] if len(times) > 1 else sum(times)
        row(count, what, len(times), requests, f"{1000 * median(times):.1f}", f"{1000 * p95:.1f}")
    print(
        f"{count} readers: {(side.cpu() - before) / took:.0%} of a core, {side.memory():,.0f} MB, "
        f"{readers.bytes / count / 1e6:.1f} MB for each, {len(readers.errors)} errors"
    )
    return readers.errors


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints a table; 1 where a request failed."""
    parser = argparse.ArgumentParser(
        "python -m benchmarks.live_class", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--ramp", default="50,100", help="numbers of readers, one after the other (default: %(default)s)")
    parser.add_argument("--model", default="en-de", help="which all of them load (default: %(default)s)")
    parser.add_argument("--seconds", type=float, default=60, help="for which each reads (default: %(default)s)")
    chosen = parser.parse_args(arguments)
    print(machine())

    def row(*cells: object) -> None:
        print("| " + " | ".join(map(str, cells)) + " |", flush=True)

    with served(chosen.model) as side:
        needs = wanted(side.url)
        print(f"After the first picture a browser fetches {len(needs.kept)} more files, for later.")
        row("readers", "what", "times", "requests", "median ms", "p95 ms")
        row(*["---"] * 6)
        errors = [error for count in map(int, chosen.ramp.split(",")) for error in report(side, needs, count, chosen.seconds, row)]
    print("\n".join(dict.fromkeys(errors[:5])))
    return int(bool(errors))


if __name__ == "__main__":
    raise SystemExit(main())
