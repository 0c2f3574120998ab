"""The app and a site for all processes that test, each made but once."""

import fcntl
import functools
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import quote

from tests.serving.started import ROOT, free_port, until_well


def build() -> None:
    """The scripts that the sources give."""
    subprocess.run(["node", "viz_core/web/build.mjs"], cwd=ROOT, check=True)


def start(module: str = "streamlit", **variables: str) -> tuple[int, str]:
    """Starts the app as the README says, on a free port: the process and its address."""
    port = free_port()
    command = [sys.executable, "-m", module, "run", "app.py", "--server.port", str(port), "--server.headless", "true"]
    environment = os.environ | variables
    process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    url = f"http://127.0.0.1:{port}"
    until_well(url)
    return process.pid, url


@contextmanager
def shared(folder: Path, module: str = "streamlit", **variables: str) -> Iterator[str]:
    """The address of one app for all processes that test: who asks first starts it, who leaves last ends it.

    Args:
        folder: which all of them know.
    """
    with held(folder / module) as found:
        if not found.get("users"):
            found["process"], found["url"] = start(module, **variables)
        found["users"] = found.get("users", 0) + 1
    yield found["url"]
    with held(folder / module) as found:
        found["users"] -= 1
        if not found["users"]:
            os.kill(found["process"], signal.SIGTERM)


@contextmanager
def held(path: Path) -> Iterator[dict[str, Any]]:
    """What stands in a file, for one process at a time, which may change it."""
    with path.open("a+") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.seek(0)
        found = json.loads(file.read() or "{}")
        yield found
        file.truncate(0)
        file.write(json.dumps(found))


def write_site(folder: Path, variables: dict[str, str], **options: str) -> None:
    """Writes a site by the command, unless it is there."""
    with held(folder.parent.with_suffix(".made")) as found:
        if not found:
            wanted = [word for name, value in options.items() for word in (f"--{name}", value)]
            command = [sys.executable, "-m", "viz_core", "site", "--out", str(folder), *wanted]
            subprocess.run(command, cwd=ROOT, env=os.environ | variables, check=True, capture_output=True)
            found["is"] = True


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Nothing."""


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address of a site, which does not stand at the server's root."""
    with ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=folder.parent)) as web:
        threading.Thread(target=web.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{web.server_port}/{quote(folder.name)}/"
        web.shutdown()
