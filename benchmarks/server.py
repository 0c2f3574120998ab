"""The app as its user meets it: from the command to the first page, and the memory that it takes."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from statistics import median
from typing import TYPE_CHECKING
from urllib.parse import quote

from benchmarks.browser import PATIENCE, READY, SIZE, chromium
from benchmarks.measure import Row
from benchmarks.subject import ROOT

if TYPE_CHECKING:
    from playwright.sync_api import Browser

EMPTY, IMPORTING = "benchmarks/empty_page.py", "benchmarks/importing_page.py"
BUTTON = "() => document.querySelector('main button')"
NUMBERS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]


def rows(starts: int) -> Iterator[Row]:
    """The time to start, compared with two pages that have only a button, the second of which also imports the app's dependencies;
    then the server's memory, and what each further session with a different sentence adds to it.
    """
    seconds: dict[str, list[float]] = {script: [] for script in ("app.py", EMPTY, IMPORTING)}
    with chromium() as browser:  # started beforehand, so that its own start does not count
        for start in range(starts):
            for script, ready in (("app.py", READY), (EMPTY, BUTTON), (IMPORTING, BUTTON)):
                with server(script, variables={"VIZ_CALCULATOR": "off"}) as (process, url):  # which the fourth session would start
                    started = time.perf_counter()
                    answers(url)
                    open_page(browser, url, ready)
                    seconds[script].append(time.perf_counter() - started)
                    if start + 1 == starts and script == "app.py":
                        first = memory(process.pid)
                        for number in NUMBERS:
                            open_page(browser, f"{url}/?text={quote(f'My neighbour bought {number} green apples.')}")
                        more = (memory(process.pid) - first) / len(NUMBERS)
    ours, empty, importing = (median(each) for each in seconds.values())
    yield Row("server: start to first interactive page", ours, aim=4, unit="s")
    yield Row("server: the same / a page with a button", ours, empty, unit="s")
    yield Row("server: the same / one that imports torch and plotly", ours, importing, unit="s")
    yield Row("server: memory, one session", first, unit="MB")
    yield Row("server: memory of each further session", more, unit="MB")


def open_page(browser: Browser, url: str, ready: str = READY) -> None:
    """Opens a page in a session of its own, and waits until it is drawn."""
    page = browser.new_context(viewport=SIZE).new_page()
    page.goto(url, timeout=1000 * PATIENCE)
    page.wait_for_function(ready, timeout=1000 * PATIENCE)


@contextmanager
def server(script: str = "app.py", variables: Mapping[str, str] | None = None) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """The app, started as the README says, or another script, on a free port; inside, it may not answer yet.

    Args:
        variables: of its environment, beside our own.
    """
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", script, "--server.headless", "true", "--server.port", str(port)]
    environment = {**os.environ, **(variables or {})}
    process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield process, f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(30)


def answers(url: str, path: str = "/_stcore/health") -> None:
    """Returns as soon as the server does; the app answers at /ready once it has loaded."""
    until = time.monotonic() + PATIENCE
    while True:
        try:
            urllib.request.urlopen(url + path, timeout=1)
            return
        except (urllib.error.URLError, OSError):
            if time.monotonic() > until:
                raise
            time.sleep(0.02)


def memory(pid: int) -> float:
    """Resident memory of a process, in MB."""
    import psutil

    return float(psutil.Process(pid).memory_info().rss) / 1e6
