"""The calculator's process: reads calls from its input, answers on its output, and ends with its input.

    python -m viz_core.calculator      started by `Calculator`, never by hand

Passes queue behind passes, long work behind long work.
"""

import os
import pickle
import signal
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from viz_core.calculator import wire
from viz_core.calculator.wire import Kind
from viz_core.progress import Progress
from viz_core.texts import speak

SWITCH = 0.0005
"""Seconds after which a thread yields Python's lock: beside long work, a pass needs it hundreds of times."""
EVERY = 0.05
"""Seconds between two reports of progress."""


class _Cancelled(BaseException):
    """The call's caller has gone."""


class _Calls:
    """Waiting, running and cancelled calls."""

    def __init__(self, output: Any) -> None:
        self._output, self._writing = output, threading.Lock()
        self._cancelled = set[int]()
        # Two long ones at a time, so that a shorter one need not wait for a very long one.
        self._lanes = {"pass": ThreadPoolExecutor(1), "long": ThreadPoolExecutor(2)}

    def take(self, number: int, kind: Kind, content: bytes) -> None:
        if kind == "cancel":
            self._cancelled.add(number)
        else:
            self._lanes[kind].submit(self._work, number, content)

    def answer(self, number: int, kind: Kind, thing: object = None) -> None:
        content = wire.pack(thing)
        with self._writing:
            wire.write(self._output, number, kind, content)

    def _work(self, number: int, content: bytes) -> None:
        try:
            self.answer(number, "result", self._result(number, content))
        except _Cancelled:
            pass
        except BaseException as error:  # any error at all: the caller waits for an answer
            self.answer(number, "error", _sendable(error))
        finally:
            self._cancelled.discard(number)

    def _result(self, number: int, content: bytes) -> Any:
        language, function, arguments, counts = wire.unpack(content)
        speak(language)  # results may hold words
        how = {"progress": self._progress(number)} if counts else {}
        if number in self._cancelled:
            raise _Cancelled
        return function(*arguments, **how)

    def _progress(self, number: int) -> Progress:
        reported = 0.0

        def report(done: int, total: int | None) -> None:
            nonlocal reported
            if number in self._cancelled:
                raise _Cancelled
            if (now := time.monotonic()) - reported > EVERY:
                reported = now
                self.answer(number, "progress", (done, total))

        return report


def _sendable(error: BaseException) -> BaseException:
    """The error itself, or one with its text if it cannot be pickled."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return wire.NotSendable(repr(error))
    return error


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the app; this process ends with it
    output = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # so that printed text is not taken for an answer
    sys.setswitchinterval(SWITCH)
    calls = _Calls(output)
    calls.answer(0, "ready")
    try:
        while True:
            calls.take(*wire.read(sys.stdin.buffer))
    except (EOFError, OSError):
        os._exit(0)  # the app has ended; running work is of no use


if __name__ == "__main__":
    main()
