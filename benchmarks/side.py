"""One of two servers that are compared: where it is, what its readers do, and what that takes of the machine."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass

import psutil


@dataclass(frozen=True)
class Cost:
    """The average cost of a run.

    Attributes:
        messages, bytes: sent to the browser.
        cpu: seconds of all the server's processes; NaN if unknown.
    """

    messages: float
    bytes: float
    cpu: float


@dataclass(frozen=True)
class Side:
    """A server.

    Attributes:
        pid: of its first process, which has started the others; None where it is not known.
        every: what each of its readers does, and the seconds from one to the next.
    """

    name: str
    url: str
    pid: int | None
    every: Mapping[str, float]

    def cpu(self) -> float:
        """Seconds that its processes have computed so far; nan where they are not known."""
        return self._sum(lambda process: sum(process.cpu_times()[:2]))

    def memory(self) -> float:
        """Resident memory of all its processes, in MB; what they share counts for each. nan where they are not known."""
        return self._sum(lambda process: process.memory_info().rss / 1e6)

    def _sum(self, take: Callable[[psutil.Process], float]) -> float:
        if self.pid is None:
            return float("nan")
        first, total = psutil.Process(self.pid), 0.0
        for process in (first, *first.children(recursive=True)):
            with suppress(psutil.NoSuchProcess):  # a worker may end at any time
                total += take(process)
        return total
