"""Training jobs of the live views: one worker for the whole server, a queue for it, one run per session.

A job whose page sends no heartbeat is dropped, so that a closed tab costs nothing.
"""

import logging
import threading
import time
import weakref
from collections import deque
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

import torch

from viz_core.app import memory
from viz_core.app.memory import size_of
from viz_core.checkpoint import Checkpoint
from viz_core.training.live import LiveTrainer, Recipe
from viz_core.training.material import Material

State = Literal["waiting", "running", "stopped", "unseen", "late", "done", "diverged", "failed", "forgotten"]
STEPS, SECONDS = 1000, 60.0
"""Limits of one sitting, a stretch of training without a pause."""
SITTINGS = 10
"""Sittings that a job may have at most."""
PATIENCE = 10.0
"""Seconds without a heartbeat after which a job ends."""
BREATH = 0.003
"""Seconds after each step that are left to other threads."""
SHARED = (Checkpoint, Material)
"""Types that a run shares with others, so that they do not count as its own."""
log = logging.getLogger(__name__)


@dataclass(eq=False)
class TrainingRun:
    """One model in training. The page reads it while the worker writes it; lists only grow, or are replaced as a whole.

    Attributes:
        recipe: its settings.
        state: waiting or running, or why it rests.
        trainer: None until its turn in the queue; it has `step`, `measured`, `diverged` and `overflowed`.
        until: the step at which this sitting ends; 0 stands for `steps`.
    """

    steps: ClassVar[int]
    """Of one sitting."""
    recipe: Any
    state: State = "waiting"
    trainer: Any = None
    until: int = 0
    last_heartbeat: float = field(default_factory=time.monotonic)
    stopping: bool = False

    def __post_init__(self) -> None:
        self.until = self.until or self.steps

    def learner(self) -> Any:
        """The model before its first step."""
        raise NotImplementedError

    def end_sitting(self) -> None:
        """Called at the end of each sitting."""

    def release(self) -> None:
        """Frees the weights and Adam's moments, without which it cannot go on; what was measured stays on the page."""
        if self.trainer:
            self.trainer.release()
        self.state = "forgotten"

    @property
    def size(self) -> int:
        """Bytes that it keeps."""
        return size_of(self.trainer, SHARED)

    @property
    def resting(self) -> bool:
        return self.state not in ("waiting", "running")

    @property
    def can_go_on(self) -> bool:
        done = len(self.trainer.measured) if self.trainer else 0
        return self.resting and self.state not in ("diverged", "failed", "forgotten") and done < SITTINGS * self.steps

    def heartbeat(self) -> None:
        """Called while a page shows the run."""
        self.last_heartbeat = time.monotonic()

    def seen(self) -> bool:
        return time.monotonic() - self.last_heartbeat < PATIENCE


class Job(TrainingRun):
    """Training of a tiny model from random weights."""

    recipe: Recipe
    trainer: LiveTrainer | None
    steps = STEPS

    def learner(self) -> LiveTrainer:
        return LiveTrainer(self.recipe)


class Queue:
    """The jobs of all sessions, one after the other."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: deque[TrainingRun] = deque()
        self._resting: deque[weakref.ref[TrainingRun]] = deque()  # a session that leaves takes its runs along
        self._running: TrainingRun | None = None
        self._worker: threading.Thread | None = None

    def put(self, job: TrainingRun) -> None:
        """Queues a job, new or to be continued; it starts at once where none is ahead of it."""
        with self._lock:
            if job is self._running or job in self._waiting:
                return
            if job.trainer and len(job.trainer.measured) >= job.until:
                job.until = min(job.until + job.steps, SITTINGS * job.steps)
            job.state, job.stopping = "waiting", False
            job.heartbeat()
            self._wake(job)
            self._waiting.append(job)
            if self._worker is None:
                self._worker = threading.Thread(target=self._work, name="training", daemon=True)
                self._worker.start()

    def stop(self, job: TrainingRun) -> None:
        """Ends a sitting; a running one after its current step."""
        with self._lock:
            if job in self._waiting:
                self._waiting.remove(job)
                job.state = "stopped"
                self._rest(job)
            job.stopping = True

    def before(self, job: TrainingRun) -> int:
        """How many jobs are ahead of a waiting one, the running one included."""
        with self._lock:
            waiting = [other for other in self._waiting if other.seen() or other is job]
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
                job.end_sitting()
                if job.trainer and job.trainer.diverged:
                    state = "diverged"
            except Exception:
                log.exception("training %s", type(job.recipe).__name__)
                state = "failed"
            with self._lock:
                job.state, self._running = state, None
                self._rest(job)

    def _rest(self, job: TrainingRun) -> None:
        """The runs that have rested longest lose their weights once all together keep too much."""
        self._wake(job)
        self._resting.append(weakref.ref(job))
        kept = 0
        for rested in [run for reference in reversed(self._resting) if (run := reference())]:
            kept += rested.size
            if kept > memory.RUNS and rested is not job:
                rested.release()
                self._wake(rested)

    def _wake(self, job: TrainingRun) -> None:
        """Takes a run off the list of resting runs, and with it those that no longer exist."""
        self._resting = deque(rested for rested in self._resting if rested() not in (None, job))


def _sitting(job: TrainingRun) -> State:
    if not job.seen():
        return "unseen"
    started = time.monotonic()
    trainer = job.trainer = job.trainer or job.learner()
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
