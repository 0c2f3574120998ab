"""The app's side of the calculator: starts the process, sends it calls, and waits for the answers."""

import itertools
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, BinaryIO, cast

from viz_core.calculator import wire
from viz_core.calculator.wire import Kind, Lane
from viz_core.progress import Progress
from viz_core.texts import language

TRIES, LIVED = 3, 10.0
"""After TRIES starts in a row that lived less than LIVED seconds, no further start is tried."""
FRUGAL = {
    "MALLOC_ARENA_MAX": "2",  # glibc: threads reuse each other's freed memory, and a result's arrays go back to the system,
    "MALLOC_MMAP_THRESHOLD_": "1000000",  # which saves a quarter of the memory
    "MALLOC_TRIM_THRESHOLD_": "8000000",
    "OMP_NUM_THREADS": "1",  # torch: one thread per pass, as in the app
}
_ROOM = 1 << 20
"""Bytes of a pipe's buffer, if the system allows: a result then comes in a few pieces, each of which may wait for Python's lock."""


class Unreachable(Exception):
    """The calculator is not running, or cannot take this call: compute it here."""


@dataclass
class _Call:
    report: Progress | None
    future: Future[Any] = field(default_factory=Future)


class Calculator:
    """One process, started when first needed; it ends with this one."""

    def __init__(self) -> None:
        self._lock, self._writing = threading.Lock(), threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._calls: dict[int, _Call] = {}
        self._numbers = itertools.count(1)
        self._ready, self._failed = False, 0

    @property
    def ready(self) -> bool:
        """True once the process takes calls."""
        return self._ready

    def start(self) -> None:
        """Starts the process, unless it runs or has failed too often. Returns at once; calls are taken some seconds later."""
        with self._lock:
            if self._process is not None or self._failed >= TRIES:
                return
            environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), **FRUGAL}
            command = [sys.executable, "-m", "viz_core.calculator"]
            try:
                process = subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            except OSError:
                self._failed = TRIES
                return
            self._process = process
        threading.Thread(target=self._listen, args=(process,), name="calculator", daemon=True).start()

    def rest(self) -> None:
        """Ends the process until it is started again; its unfinished calls are computed here."""
        with self._lock:
            self._ready, process = False, self._process
        if process:
            process.kill()

    def stop(self) -> None:
        """Ends the process for good."""
        with self._lock:
            self._failed, process = TRIES, self._process
        if process:
            process.kill()
            process.wait()

    def call(self, lane: Lane, function: Callable[..., Any], *arguments: Any, report: Progress | None = None) -> Any:
        """`function(*arguments)`, computed by the process; a report is passed as `progress`, and its exceptions end the work.

        Raises:
            Unreachable: the process is not running, ends meanwhile, or lacks something that the call refers to.
        """
        try:
            content = wire.pack((language(), function, arguments, report is not None))
        except wire.NotSendable as error:
            raise Unreachable(str(error)) from error
        call, number = _Call(report), next(self._numbers)
        with self._lock:
            if not self._ready:
                raise Unreachable("not there")
            self._calls[number] = call
        self._send(number, lane, content)
        try:
            return call.future.result()
        except wire.NotSendable as error:
            raise Unreachable(str(error)) from error

    def _send(self, number: int, kind: Kind, content: bytes = b"") -> None:
        process = self._process
        if process and process.stdin:
            with self._writing, suppress(OSError, ValueError):  # just ended: `_listen` tells every caller
                wire.write(cast(BinaryIO, process.stdin), number, kind, content)

    def _listen(self, process: subprocess.Popen[bytes]) -> None:
        begun = time.monotonic()
        assert process.stdout and process.stdin
        for pipe in (process.stdout, process.stdin):
            _widen(pipe.fileno())
        try:
            while True:
                self._take(*wire.read(cast(BinaryIO, process.stdout)))
        except (EOFError, OSError):
            self._gone(process, time.monotonic() - begun)

    def _take(self, number: int, kind: Kind, content: bytes) -> None:
        if kind == "ready":
            self._ready = True
            return
        with self._lock:
            call = self._calls.get(number) if kind == "progress" else self._calls.pop(number, None)
        if call is None:  # given up
            return
        try:
            thing = wire.unpack(content)
            if kind == "progress":
                assert call.report
                call.report(*thing)
            elif kind == "error":
                call.future.set_exception(thing)
            else:
                call.future.set_result(thing)
        except BaseException as error:  # from the report, if the caller has gone, or from a model that has changed
            with self._lock:
                self._calls.pop(number, None)
            self._send(number, "cancel")
            call.future.set_exception(error)

    def _gone(self, process: subprocess.Popen[bytes], lived: float) -> None:
        with self._lock:
            self._failed = self._failed + 1 if lived < LIVED else self._failed if self._failed >= TRIES else 0
            self._process, self._ready = None, False
            calls, self._calls = self._calls, {}
        process.kill()
        process.wait()
        for call in calls.values():
            call.future.set_exception(Unreachable("it has ended"))


def _widen(pipe: int) -> None:
    try:
        import fcntl

        fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, _ROOM)
    except (ImportError, AttributeError, OSError):  # another system
        return
