"""The pool of long computations: bounded, first come first served, each work once, nothing begun for nobody."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from viz_core.app.cache import Abandoned
from viz_core.app.pool import Pool
from viz_core.progress import Progress, counted

SOON = 10.0
"""Seconds within which all of this happens."""


class Held:
    """Works that last until they are let go, and what is known of them."""

    def __init__(self) -> None:
        self.order: list[str] = []
        self.begun = threading.Semaphore(0)
        self.go = threading.Event()
        self.at_once = self.most = 0
        self._lock = threading.Lock()

    def __call__(self, name: str) -> Callable[[Progress], str]:
        def compute(progress: Progress) -> str:
            with self._lock:
                self.order.append(name)
                self.at_once += 1
                self.most = max(self.most, self.at_once)
            self.begun.release()
            assert self.go.wait(SOON)
            with self._lock:
                self.at_once -= 1
            return name

        return compute


@pytest.fixture
def held() -> Iterator[Held]:
    made = Held()
    yield made
    made.go.set()


@pytest.mark.parametrize("at_once", [1, 2])
def test_so_many_at_a_time_in_the_order_in_which_they_came(at_once: int, held: Held) -> None:
    pool = Pool(at_once)
    with ExitStack() as readers:
        works = [readers.enter_context(pool.waiting(name, held(name))) for name in "abcd"]
        for _ in range(at_once):
            assert held.begun.acquire(timeout=SOON)
        assert [pool.before(work) for work in works] == [0] * at_once + [*range(at_once, 4)]
        held.go.set()
        assert [work.future.result(SOON) for work in works] == [*"abcd"]
    assert sorted(held.order[:at_once]) == [*"ab"][:at_once]
    if at_once == 1:
        assert held.order == [*"abcd"]
    assert held.most == at_once


def test_the_same_work_is_done_once_for_all_who_wait(held: Held) -> None:
    pool = Pool(1)
    with pool.waiting("a", held("a")) as one, pool.waiting("b", held("b")), pool.waiting("a", held("again")) as other:
        assert one is other
        held.go.set()
        assert other.future.result(SOON) == "a"
    assert "again" not in held.order


def test_what_nobody_waits_for_keeps_its_place_but_is_not_begun(held: Held) -> None:
    pool = Pool(1)
    with pool.waiting("a", held("a")) as first:
        with pool.waiting("b", held("b")):
            pass  # a run that is interrupted
        with pool.waiting("c", held("c")) as third:
            assert pool.before(third) == 1
            with pool.waiting("b", held("b")) as second:  # the next run asks again
                assert (pool.before(second), pool.before(third)) == (1, 2)
            held.go.set()
            assert [first.future.result(SOON), third.future.result(SOON)] == ["a", "c"]
    assert held.order == ["a", "c"]


def test_work_that_has_begun_is_given_up_once_nobody_has_waited_for_a_while() -> None:
    pool, begun, go = Pool(1, patience=0.0), threading.Event(), threading.Event()

    def endless(progress: Progress) -> None:
        for _ in counted(iter(int, 1), progress):
            begun.set()
            assert go.wait(SOON)
            time.sleep(0.001)

    with pool.waiting("a", endless) as work:
        assert begun.wait(SOON)
    go.set()
    with pytest.raises(Abandoned):
        work.future.result(SOON)
    with pool.waiting("b", lambda _: "b") as other:
        assert other.future.result(SOON) == "b"
