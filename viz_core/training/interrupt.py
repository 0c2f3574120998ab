"""Ctrl-C and kill, heard between two steps, so that the state that is saved is never half a step."""

from __future__ import annotations

import signal
import threading
from types import FrameType, TracebackType


class Interruption:
    """While entered, SIGINT and SIGTERM set `asked` instead of stopping whatever line is being run."""

    def __init__(self) -> None:
        self.asked = False
        self._before: dict[signal.Signals, signal._HANDLER] = {}

    def __enter__(self) -> Interruption:
        if threading.current_thread() is threading.main_thread():  # no other thread hears signals
            for number in (signal.SIGINT, signal.SIGTERM):
                self._before[number] = signal.signal(number, self._hear)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        for number, handler in self._before.items():
            signal.signal(number, signal.SIG_DFL if handler is None else handler)

    def _hear(self, signum: int, frame: FrameType | None) -> None:
        self.asked = True
