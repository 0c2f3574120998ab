"""Models that learn while a page looks on: one worker for the whole server, a queue before it, one job a session.

A job that no page looks at any more is dropped, so that a closed tab costs nothing.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, Literal, Protocol, TypeVar

import torch

from viz_core.training.live import LiveTrainer, Recipe, TrainingStep

State = Literal["waiting", "running", "stopped", "unseen", "late", "done", "diverged", "failed", "forgotten"]
STEPS, SECONDS = 1000, 60.0
"""Of one sitting: whichever comes first ends it."""
SITTINGS = 10
"""So many times the steps of one sitting are all that a job may have."""
MOST_RESTING = 6
"""Heavy jobs that keep their weights to go on later; the one that has rested longest loses them first."""
PATIENCE = 10.0
"""Seconds without a look, after which nobody is there any more."""
BREATH = 0.003
"""Seconds after each step in which other threads have the interpreter to themselves."""
log = logging.getLogger(__name__)


class Learner(Protocol):
    """What a job trains: one step at a time."""

    measured: list[TrainingStep]

    @property
    def diverged(self) -> bool:
        """Whether going on makes no sense."""

    def step(self) -> TrainingStep:
        """One batch."""


Told = TypeVar("Told")
Learns = TypeVar("Learns", bound=Learner)


@dataclass(eq=False)
class Run(Generic[Told, Learns]):
    """One model that learns. The page reads it while the worker writes it; lists are only added to, or replaced as a whole.

    Attributes:
        recipe: what it is told.
        state: waiting or running; or why it rests.
        trainer: None until its turn has come.
        until: the step at which this sitting ends; 0 is after as many as its kind has.
    """

    steps: ClassVar[int]
    """Of one sitting."""
    heavy: ClassVar[bool] = False
    """Whether it has much to give back."""
    recipe: Told
    state: State = "waiting"
    trainer: Learns | None = None
    until: int = 0
    looked: float = field(default_factory=time.monotonic)
    stopping: bool = False

    def __post_init__(self) -> None:
        self.until = self.until or self.steps

    def begin(self) -> Learns:
        """The model before its first step."""
        raise NotImplementedError

    def settle(self) -> None:
        """At the end of each sitting."""

    def let_go(self) -> None:
        """Gives back what going on would need."""

    @property
    def resting(self) -> bool:
        """Whether neither the worker has it nor the queue."""
        return self.state not in ("waiting", "running")

    @property
    def can_go_on(self) -> bool:
        """Whether more steps could follow."""
        done = len(self.trainer.measured) if self.trainer else 0
        return self.resting and self.state not in ("diverged", "failed", "forgotten") and done < SITTINGS * self.steps

    def look(self) -> None:
        """Somebody is still there."""
        self.looked = time.monotonic()

    def seen(self) -> bool:
        """Whether somebody was there a moment ago."""
        return time.monotonic() - self.looked < PATIENCE


class Job(Run[Recipe, LiveTrainer]):
    """A tiny model that learns from nothing."""

    steps = STEPS

    def begin(self) -> LiveTrainer:
        """Its weights as they are drawn."""
        return LiveTrainer(self.recipe)


AnyRun = Run[Any, Any]


class Queue:
    """The jobs of all sessions, one after the other."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: deque[AnyRun] = deque()
        self._resting: deque[AnyRun] = deque()
        self._running: AnyRun | None = None
        self._worker: threading.Thread | None = None

    def put(self, job: AnyRun) -> None:
        """Lets a job wait for its turn, new or to go on; at once where nobody is before it."""
        with self._lock:
            if job is self._running or job in self._waiting:
                return
            if job.trainer and len(job.trainer.measured) >= job.until:
                job.until = min(job.until + job.steps, SITTINGS * job.steps)
            job.state, job.stopping = "waiting", False
            job.look()
            if job in self._resting:
                self._resting.remove(job)
            self._waiting.append(job)
            if self._worker is None:
                self._worker = threading.Thread(target=self._work, name="training", daemon=True)
                self._worker.start()

    def stop(self, job: AnyRun) -> None:
        """Ends a sitting; a running one after the step it is in."""
        with self._lock:
            if job in self._waiting:
                self._waiting.remove(job)
                job.state = "stopped"
                self._rest(job)
            job.stopping = True

    def before(self, job: AnyRun) -> int:
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
                state = _sitting(job)
                job.settle()
            except Exception:
                log.exception("training %s", type(job.recipe).__name__)
                state = "failed"
            with self._lock:
                job.state, self._running = state, None
                self._rest(job)

    def _rest(self, job: AnyRun) -> None:
        if job.heavy:
            self._resting.append(job)
        if len(self._resting) > MOST_RESTING:
            self._resting.popleft().let_go()


def _sitting(job: AnyRun) -> State:
    """Trains until something ends it, and says what."""
    if not job.seen():
        return "unseen"
    started = time.monotonic()
    trainer = job.trainer = job.trainer or job.begin()
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
