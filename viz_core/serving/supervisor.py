"""Processes that are kept running together: one that ends is started again; when this one is asked to end, all end."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

TURN = 0.1
"""Seconds between two looks at the processes."""
SHORT = 10.0
"""A process that has lived for fewer seconds has failed to start; the next try waits longer."""
TRIES = 5
"""Failed starts in a row after which it is no use."""
GRACE = 5.0
"""Seconds that the processes have to end by themselves."""
_ASKED = [getattr(signal, name) for name in ("SIGTERM", "SIGINT", "SIGHUP") if hasattr(signal, name)]  # Windows lacks the last


@dataclass
class _Kept:
    """One process that is kept running."""

    name: str
    command: Sequence[str]
    environment: Mapping[str, str]
    is_news: Callable[[str], bool] | None = None
    process: subprocess.Popen[str] | None = None
    started: float = 0.0
    due: float = field(default_factory=time.monotonic)
    failed: int = 0

    def look(self) -> None:
        """Starts it where it is due, and notices that it has ended."""
        now = time.monotonic()
        if self.process is None:
            if now >= self.due:
                # In a session of its own: Ctrl-C reaches this process alone, which then ends the others in order.
                self.process = subprocess.Popen(
                    [*_ends_with_us(), *self.command], env=self.environment, start_new_session=True, text=True, errors="replace",
                    stderr=subprocess.PIPE if self.is_news else None,
                )  # fmt: skip
                self.started = now
                if self.is_news:
                    threading.Thread(target=self._pass_on, args=(self.process, self.is_news), daemon=True).start()
        elif (status := self.process.poll()) is not None:
            self.failed = self.failed + 1 if now - self.started < SHORT else 0
            self.process, self.due = None, now + (2.0**self.failed - 1) / 2
            print(f"{self.name} has ended ({_how(status)}) and is started again", file=sys.stderr, flush=True)

    @staticmethod
    def _pass_on(process: subprocess.Popen[str], is_news: Callable[[str], bool]) -> None:
        for line in process.stderr or ():
            if is_news(line):
                print(line, end="", file=sys.stderr, flush=True)


def keep_running(
    commands: Mapping[str, Sequence[str]],
    environment: Mapping[str, str],
    each_turn: Callable[[], None] = lambda: None,
    news: Mapping[str, Callable[[str], bool]] = MappingProxyType({}),
) -> int:
    """Runs processes until this one gets SIGTERM, SIGINT or SIGHUP, then ends them all.

    Args:
        commands: by the names under which they are reported; the last ends first.
        each_turn: called again and again meanwhile; must be quick.
        news: of some of them, by their names, whether a line that it writes as an error is to be seen.

    Returns:
        0 when it was asked to end, 1 when one of them could not be started.
    """
    asked: list[int] = []
    for number in _ASKED:
        signal.signal(number, lambda number, _: asked.append(number))
    kept = [_Kept(name, command, environment, news.get(name)) for name, command in commands.items()]
    try:
        while not asked:
            for each in kept:
                each.look()
                if each.failed >= TRIES:
                    print(f"error: {each.name} ended {TRIES} times as soon as it was started", file=sys.stderr)
                    return 1
            each_turn()
            time.sleep(TURN)
        return 0
    finally:
        _end([each.process for each in reversed(kept) if each.process])


def _ends_with_us() -> Sequence[str]:
    """What has the system end a process when this one is killed and can't do it any more; Linux has it, with util-linux."""
    return ("setpriv", "--pdeathsig", "TERM", "--") if shutil.which("setpriv") else ()


def _end(processes: Sequence[subprocess.Popen[str]]) -> None:
    for process in processes:
        process.terminate()
    until = time.monotonic() + GRACE
    for process in processes:
        try:
            process.wait(max(0.0, until - time.monotonic()))
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _how(status: int) -> str:
    return signal.Signals(-status).name if status < 0 else f"exit status {status}"
