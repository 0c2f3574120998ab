"""Models that learn while a page looks on: one worker for the whole server, a queue before it, one job a session.

A job that no page looks at any more is dropped, so that a closed tab costs nothing.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from dataclasses import dataclass, field
from typing import Literal

import torch

from viz_core.training.live import LiveTrainer, Recipe

State = Literal["waiting", "running", "stopped", "unseen", "late", "done", "diverged", "failed"]
STEPS, SECONDS = 1000, 60.0
"""Of one sitting: whichever comes first ends it."""
MOST_STEPS = 10 * STEPS
"""Of one job, over all sittings."""
PATIENCE = 10.0
"""Seconds without a look, after which nobody is there any more."""
BREATH = 0.003
"""Seconds after each step in which other threads have the interpreter to themselves."""
log = logging.getLogger(__name__)


@dataclass(eq=False)
class Job:
    """One model that learns. The page reads it while the worker writes it; lists are only added to, or replaced as a whole.

    Attributes:
        state: waiting or running; or why it rests.
        trainer: None until its turn has come.
        until: the step at which this sitting ends.
    """

    recipe: Recipe
    state: State = "waiting"
    trainer: LiveTrainer | None = None
    until: int = STEPS
    looked: float = field(default_factory=time.monotonic)
    stopping: bool = False

    @property
    def resting(self) -> bool:
        """Whether neither the worker has it nor the queue."""
        return self.state not in ("waiting", "running")

    @property
    def can_go_on(self) -> bool:
        """Whether more steps could follow."""
        done = len(self.trainer.measured) if self.trainer else 0
        return self.resting and self.state not in ("diverged", "failed") and done < MOST_STEPS

    def look(self) -> None:
        """Somebody is still there."""
        self.looked = time.monotonic()

    def seen(self) -> bool:
        """Whether somebody was there a moment ago."""
        return time.monotonic() - self.looked < PATIENCE


class Queue:
    """The jobs of all sessions, one after the other."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: deque[Job] = deque()
        self._running: Job | None = None
        self._worker: threading.Thread | None = None

    def put(self, job: Job) -> None:
        """Lets a job wait for its turn, new or to go on; at once where nobody is before it."""
        with self._lock:
            if job is self._running or job in self._waiting:
                return
            if job.trainer and len(job.trainer.measured) >= job.until:
                job.until = min(job.until + STEPS, MOST_STEPS)
            job.state, job.stopping = "waiting", False
            job.look()
            self._waiting.append(job)
            if self._worker is None:
                self._worker = threading.Thread(target=self._work, name="training", daemon=True)
                self._worker.start()

    def stop(self, job: Job) -> None:
        """Ends a sitting; a running one after the step it is in."""
        with self._lock:
            if job in self._waiting:
                self._waiting.remove(job)
                job.state = "stopped"
            job.stopping = True

    def before(self, job: Job) -> int:
        """How many are still before a waiting job, the running one included."""
        with self._lock:
            waiting = [each for each in self._waiting if each.seen() or each is job]
            ahead = waiting.index(job) if job in waiting else 0
            return ahead + (self._running is not None)

    def _work(self) -> None:
        torch.set_num_threads(1)
        while True:
            with self._lock:
                self._running = self._waiting.popleft() if self._waiting else None
                if self._running is None:
                    self._worker = None
                    return
                job = self._running
                job.state = "running"
            try:
                job.state = _sitting(job)
            except Exception:
                log.exception("training %s", job.recipe)
                job.state = "failed"


def _sitting(job: Job) -> State:
    """Trains until something ends it, and says what."""
    if not job.seen():
        return "unseen"
    started = time.monotonic()
    trainer = job.trainer = job.trainer or LiveTrainer(job.recipe)
    while len(trainer.measured) < job.until:
        if job.stopping:
            return "stopped"
        if not job.seen():
            return "unseen"
        if time.monotonic() - started > SECONDS:
            return "late"
        trainer.step()
        time.sleep(BREATH)
        if trainer.diverged:
            return "diverged"
    return "done"


QUEUE = Queue()
