"""Servers that a test starts and ends."""

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
from pathlib import Path

import psutil
import pytest

ROOT = Path(__file__).parents[2]
HAPROXY = shutil.which("haproxy") or shutil.which("/usr/sbin/haproxy") or ""  # which is not in every PATH
needs_haproxy = pytest.mark.skipif(not HAPROXY, reason="HAProxy is missing; tests/run installs it where it may (apt-get, as root)")


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


@contextmanager
def app(folder: Path, base_path: str = "", **variables: str) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """`viz-core app` on a free port, started in a folder of its own; inside, it may not answer yet."""
    port = free_port()
    command = [sys.executable, "-m", "viz_core", "app", "--port", str(port), "--base-path", base_path]
    environment = os.environ | {"PYTHONPATH": str(ROOT)} | variables
    with (folder / f"log-{port}").open("wb") as log:
        process = subprocess.Popen(command, cwd=folder, env=environment, stdout=log, stderr=log)
    try:
        yield process, port
    finally:
        assert process.poll() is not None or not stop(process), "processes go on after the one that started them"
