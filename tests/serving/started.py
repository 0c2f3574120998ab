"""Servers that a test starts and ends."""

from __future__ import annotations

import os
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
from dataclasses import dataclass
from pathlib import Path

import psutil
import pytest

ROOT = Path(__file__).parents[2]
needs_haproxy = pytest.mark.skipif(
    not (shutil.which("haproxy") or Path("/usr/sbin/haproxy").exists()),
    reason="HAProxy is not installed; tests/run installs it where it may (apt-get, as root)",
)


def free_port() -> int:
    """A port on which nothing listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def until_well(url: str) -> None:
    """Returns when the app answers there."""
    until = time.monotonic() + 60
    while True:
        try:
            urllib.request.urlopen(f"{url}/ready", timeout=2)
            return
        except (urllib.error.URLError, OSError):
            if time.monotonic() > until:
                raise
            time.sleep(0.1)


def stop(process: subprocess.Popen[bytes]) -> list[int]:
    """Asks a process to end, and waits; returns the processes of its that go on all the same."""
    children = psutil.Process(process.pid).children(recursive=True)
    process.send_signal(signal.SIGTERM)
    process.wait(20)
    return [child.pid for child in psutil.wait_procs(children, timeout=1)[1]]


@dataclass
class Served:
    """`viz_core serve`, as it runs."""

    url: str
    process: subprocess.Popen[bytes]
    log: Path

    def workers(self) -> list[psutil.Process]:
        """The Streamlit processes that live."""
        return [child for child in psutil.Process(self.process.pid).children() if "streamlit" in child.cmdline()]


@contextmanager
def serving(folder: Path, workers: int, base_path: str = "") -> Iterator[Served]:
    """The app with its proxy, on a free port, started in a folder of its own; when it is well."""
    port, log = free_port(), folder / "log"
    command = [sys.executable, "-m", "viz_core", "serve", "--port", str(port), "--workers", str(workers), "--base-path", base_path]
    with log.open("wb") as file:
        process = subprocess.Popen(command, cwd=folder, env=os.environ | {"PYTHONPATH": str(ROOT)}, stdout=file, stderr=file)
    try:
        until_well(url := f"http://127.0.0.1:{port}/{base_path}".rstrip("/"))
        yield Served(url, process, log)
    finally:
        assert not stop(process), "processes go on after the one that started them"
