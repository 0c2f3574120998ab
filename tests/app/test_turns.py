"""Few runs at a time; who only waits stands back."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor

from viz_core.app.cache import cached
from viz_core.app.turns import AT_A_TIME, turn, waiting

PATIENCE = 20


def test_no_more_than_a_few_run_at_a_time() -> None:
    running, most = 0, 0
    count = threading.Lock()

    def run() -> None:
        nonlocal running, most
        with turn():
            with count:
                running += 1
                most = max(most, running)
            time.sleep(0.01)
            with count:
                running -= 1

    with ThreadPoolExecutor(10) as pool:
        for done in [pool.submit(run) for _ in range(30)]:
            done.result(PATIENCE)
    assert most == AT_A_TIME


def test_who_waits_leaves_the_turn_to_others() -> None:
    done = threading.Event()

    def wait() -> None:
        with turn(), waiting():
            assert done.wait(PATIENCE)

    def work() -> None:
        with turn():
            done.set()

    with ThreadPoolExecutor(AT_A_TIME + 1) as pool:
        asked = [pool.submit(wait) for _ in range(AT_A_TIME)]
        asked.append(pool.submit(work))
        for each in asked:
            each.result(PATIENCE)


def slow(began: threading.Event, done: threading.Event) -> str:
    began.set()
    assert done.wait(PATIENCE)
    return "result"


def test_who_waits_for_the_result_of_another_session_stands_back() -> None:
    began, done = threading.Event(), threading.Event()

    def ask() -> str:
        with turn():
            return cached(slow, began, done)

    def other() -> None:
        with turn():
            done.set()

    with ThreadPoolExecutor(AT_A_TIME + 1) as pool:
        asked = [pool.submit(ask)]
        assert began.wait(PATIENCE)
        asked += [pool.submit(ask) for _ in range(AT_A_TIME - 1)]
        pool.submit(other).result(PATIENCE)
        assert [each.result(PATIENCE) for each in asked] == ["result"] * AT_A_TIME
