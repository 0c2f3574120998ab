"""A real server and a real browser, both on this machine."""

from __future__ import annotations

import base64
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import streamlit
from playwright.sync_api import Browser, Page, expect, sync_playwright

ROOT = Path(__file__).parents[2]
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-sync"]
expect.set_options(timeout=20_000)  # other tests run beside


def free_port() -> int:
    """A port on which nothing listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


@contextmanager
def started(module: str = "streamlit", port: int = 0) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """The app, started as the README says: the process and its address. Without a port, on one that is free."""
    port = port or free_port()
    command = [sys.executable, "-m", module, "run", "app.py", "--server.port", str(port), "--server.headless", "true"]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    url = f"http://127.0.0.1:{port}"
    try:
        for _ in range(240):
            try:
                urllib.request.urlopen(f"{url}/_stcore/health", timeout=1)
                break
            except (urllib.error.URLError, OSError):
                time.sleep(0.25)
        yield process, url
    finally:
        process.send_signal(signal.SIGCONT)
        process.terminate()
        process.wait(20)


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """The address of the app that all tests share."""
    with started() as (_, url):
        yield url


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """The system's Chromium, without windows where it has such a one, else the one that playwright brought."""
    names = "chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"
    path = next((found for found in map(shutil.which, names) if found), None)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture
def page(browser: Browser, server: str) -> Iterator[Page]:
    """A fresh tab. The test fails if a request leaves the machine or the page throws."""
    context = browser.new_context(viewport={"width": 1280, "height": 720})
    tab = context.new_page()
    tab.set_default_timeout(60_000)
    left: list[str] = []
    thrown: list[str] = []
    own = (server, server.replace("http", "ws", 1), "data:", "blob:")
    tab.on("request", lambda request: None if request.url.startswith(own) else left.append(request.url))
    tab.on("pageerror", lambda error: thrown.append(str(error)))
    yield tab
    context.close()
    assert not left, f"requests left the machine: {left}"
    assert not thrown, thrown


@pytest.fixture
def tab(browser: Browser) -> Iterator[Page]:
    """A tab without a network. The test fails if the page asks for anything, throws, or breaks its own policy."""
    context = browser.new_context(viewport={"width": 1280, "height": 720}, offline=True)
    tab = context.new_page()
    told: list[str] = []
    asked: list[str] = []
    own = ("file:", "blob:", "data:", "about:")
    tab.on("pageerror", lambda error: told.append(str(error)))
    tab.on("console", lambda message: told.append(message.text) if message.type == "error" else None)
    tab.on("request", lambda request: None if request.url.startswith(own) else asked.append(request.url))
    yield tab
    context.close()
    assert not told
    assert not asked


@pytest.fixture(scope="session")
def font() -> str:
    """The font and the size of letters of the app, as Streamlit brings them."""
    (path,) = (Path(streamlit.__file__).parent / "static" / "static" / "media").glob("SourceSansVF-Upright*.woff2")
    url = f"data:font/woff2;base64,{base64.b64encode(path.read_bytes()).decode()}"
    return f'@font-face {{ font-family: "Source Sans"; src: url({url}); font-weight: 200 900; }} html {{ font-size: 18px; }}'
