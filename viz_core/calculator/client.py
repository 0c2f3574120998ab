"""The app's side of the calculator: starts the process, and asks it."""

import os
import secrets
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from multiprocessing import AuthenticationError
from multiprocessing.connection import Client
from typing import Any, Literal

from viz_core.calculator import references
from viz_core.progress import Progress
from viz_core.texts import language

Lane = Literal["pass", "long"]
"""Queues: passes of a sentence wait for one another, and long work for long work."""
TRIES, LIVED = 3, 10.0
"""After TRIES starts in a row that lived less than LIVED seconds, no further start is tried."""
FRUGAL = {
    "MALLOC_ARENA_MAX": "2",  # glibc: threads reuse each other's freed memory, and a result's arrays go back to the system,
    "MALLOC_MMAP_THRESHOLD_": "1000000",  # which saves a quarter of the memory
    "MALLOC_TRIM_THRESHOLD_": "8000000",
    "OMP_NUM_THREADS": "1",  # torch: one thread per pass, as in the app
}


class Unreachable(Exception):
    """The calculator is not running, or cannot take this call: compute it here."""


class Calculator:
    """One process, started when first needed; it ends with this one."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[str] | None = None
        self._key, self._address, self._failed = secrets.token_bytes(), "", 0

    @property
    def ready(self) -> bool:
        """True once the process takes calls."""
        return bool(self._address)

    def start(self) -> None:
        """Starts the process, unless it runs or has failed too often. Returns at once; calls are taken some seconds later."""
        with self._lock:
            if self._process is not None or self._failed >= TRIES:
                return
            environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), **FRUGAL}
            command = [sys.executable, "-m", "viz_core.calculator"]
            try:
                self._process = subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            except OSError:
                self._failed = TRIES
                return
            threading.Thread(target=self._watch, args=(self._process,), name="calculator", daemon=True).start()

    def rest(self) -> None:
        """Ends the process until it is started again; its unfinished calls are computed here."""
        with self._lock:
            self._address, process = "", self._process
        if process:
            process.kill()

    def stop(self) -> None:
        """Ends the process for good."""
        self._failed = TRIES
        self.rest()

    def call(self, lane: Lane, function: Callable[..., Any], *arguments: Any, report: Progress | None = None) -> Any:
        """`function(*arguments)`, computed by the process; a report is passed as `progress`, and its exceptions end the work.

        Raises:
            Unreachable: the process is not running, ends meanwhile, or lacks something that the call refers to.
        """
        try:
            kind, thing = self._asked(lane, references.pack((language(), function, arguments, report is not None)), report)
        except (references.NotSendable, EOFError, OSError, AuthenticationError) as error:
            raise Unreachable(str(error)) from error
        if kind == "result":
            return thing
        raise Unreachable(str(thing)) if isinstance(thing, references.NotSendable) else thing

    def _asked(self, lane: Lane, content: bytes, report: Progress | None) -> tuple[str, Any]:
        if not self.ready:
            raise Unreachable("not there")
        with Client(self._address, authkey=self._key) as pipe:
            pipe.send_bytes(lane.encode())
            pipe.send_bytes(content)
            while True:
                kind, thing = references.unpack(pipe.recv_bytes())
                if kind != "progress":
                    return kind, thing
                assert report
                report(*thing)

    def _watch(self, process: subprocess.Popen[str]) -> None:
        began = time.monotonic()
        with process:
            assert process.stdin and process.stdout
            try:
                process.stdin.write(self._key.hex() + "\n")
                process.stdin.flush()
                address = process.stdout.readline().strip()
            except OSError:  # it has ended already
                address = ""
            with self._lock:
                self._address = address
            process.wait()
        with self._lock:
            self._failed = self._failed + 1 if time.monotonic() - began < LIVED else self._failed if self._failed >= TRIES else 0
            self._process, self._address = None, ""
