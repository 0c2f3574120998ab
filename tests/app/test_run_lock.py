"""One run at a time; who only waits, or takes long, stands back."""

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from viz_core.app import run_lock
from viz_core.app.cache import cached, cached_aside
from viz_core.app.run_lock import aside, turn

PATIENCE = 20


def test_one_runs_at_a_time() -> None:
    running, most = 0, 0
    count = threading.Lock()

    def run() -> None:
        nonlocal running, most
        with turn("me"):
            with count:
                running += 1
                most = max(most, running)
            time.sleep(0.01)
            with count:
                running -= 1

    with ThreadPoolExecutor(10) as pool:
        for done in [pool.submit(run) for _ in range(30)]:
            done.result(PATIENCE)
    assert most == 1


def test_a_reader_of_many_requests_waits_behind_one_of_few() -> None:
    served: list[str] = []

    def run(reader: str) -> None:
        with turn(reader):
            served.append(reader)

    with ThreadPoolExecutor(10) as pool:
        with turn("me"):
            asked = []
            for number, reader in enumerate("aaaabac", 1):
                asked.append(pool.submit(run, reader))
                wait_until_waiting(number)
        for done in asked:
            done.result(PATIENCE)
    assert "".join(served) == "abcaaaa"


def wait_until_waiting(count: int) -> None:
    end = time.monotonic() + PATIENCE
    while sum(map(len, run_lock._runs._waiting.values())) < count:
        assert time.monotonic() < end
        time.sleep(0.001)


def test_who_takes_long_goes_on_beside_the_others_one_at_a_time() -> None:
    beside, done = threading.Semaphore(0), threading.Event()
    long = []

    def take_long(name: str) -> None:
        with turn("me"), aside():
            long.append(name)
            beside.release()
            with aside():  # within another, nothing more
                assert done.wait(PATIENCE)

    def work() -> None:
        with turn("me"):
            assert len(long) == 1
            done.set()

    with ThreadPoolExecutor(3) as pool:
        asked = [pool.submit(take_long, name) for name in "ab"]
        assert beside.acquire(timeout=PATIENCE)
        for each in (*asked, pool.submit(work)):
            each.result(PATIENCE)
    assert sorted(long) == ["a", "b"]


def slow(began: threading.Event, done: threading.Event) -> str:
    began.set()
    assert done.wait(PATIENCE)
    return "result"


def test_who_waits_for_the_result_of_another_session_stands_back() -> None:
    began, done = threading.Event(), threading.Event()

    def ask(how: Callable[..., str] = cached) -> str:
        with turn("me"):
            return how(slow, began, done)

    def other() -> None:
        with turn("me"):
            done.set()

    with ThreadPoolExecutor(3) as pool:
        asked = [pool.submit(ask, cached_aside)]
        assert began.wait(PATIENCE)
        asked.append(pool.submit(ask))
        pool.submit(other).result(PATIENCE)
        assert [each.result(PATIENCE) for each in asked] == ["result"] * 2
