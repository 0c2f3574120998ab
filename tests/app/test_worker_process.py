"""A class of readers has its passes computed by a second process; a few do without, and nobody notices where it dies. The load test
speaks as a browser does, and every reader is answered. How long an answer takes is no test.
"""

import asyncio
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import psutil
import pytest

from benchmarks.server import answers, server
from benchmarks.websocket_session import Session
from viz_core.app import worker_process
from viz_core.calculator.client import Calculator, Unreachable
from viz_core.checkpoint import Checkpoint
from viz_core.explain import explain

SENTENCES = "A baker hides two maps.", "The nurse carries a green kettle.", "My aunt paints the old map."
SOON = 60.0


class Noted(Calculator):
    """Starts nothing, and answers what it is told to."""

    def __init__(self, answer: Any = None) -> None:
        super().__init__()
        self.started, self.rested, self.answer = 0, 0, answer
        self._address = "" if answer is None else "here"

    def start(self) -> None:
        self.started += 1
        self._address = "here"

    def rest(self) -> None:
        self.rested += 1
        self._address = ""

    def call(self, *_: Any, **__: Any) -> Any:
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


def test_it_is_started_for_many_who_read_at_the_same_time(monkeypatch: pytest.MonkeyPatch) -> None:
    now, noted = [0.0], Noted()
    monkeypatch.setattr(worker_process, "CALCULATOR", noted)
    monkeypatch.setattr(worker_process, "_readers", worker_process.Readers())
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    monkeypatch.setenv(worker_process.SWITCH, "")
    for reader in "aabbccab":
        worker_process.count_reader(reader)
    assert not noted.started  # three
    now[0] = worker_process.RECENT + 1
    worker_process.count_reader("d")
    assert not noted.started  # the others have left
    for reader in "abc":
        worker_process.count_reader(reader)
    assert [noted.started] == [1]
    for later in (0.5, 1.1):
        assert not noted.rested
        now[0] += later * worker_process.LONG_AGO
        worker_process.count_reader("a")  # alone
    assert [noted.rested] == [1]
    monkeypatch.setenv(worker_process.SWITCH, "off")
    for reader in "efgh":
        worker_process.count_reader(reader)
    assert [noted.started] == [1]


def test_what_it_cannot_do_is_computed_here(monkeypatch: pytest.MonkeyPatch) -> None:
    for noted, expected in ((Noted(), "here"), (Noted("there"), "there"), (Noted(Unreachable()), "here")):
        monkeypatch.setattr(worker_process, "CALCULATOR", noted)
        assert worker_process.computed("pass", str, here=lambda: "here") == expected


@pytest.fixture(scope="module")
def app() -> Iterator[tuple[psutil.Process, str]]:
    with server(variables={worker_process.SWITCH: "on"}) as (process, url):
        answers(url, "/ready")
        yield psutil.Process(process.pid), url


@pytest.fixture
def alone() -> Iterator[ThreadPoolExecutor]:
    """A thread: in that of the test an event loop may run already, of another test's browser."""
    with ThreadPoolExecutor(1) as made:
        yield made


def test_a_class_gets_its_sentences_though_the_calculator_dies(
    app: tuple[psutil.Process, str], alone: ThreadPoolExecutor, shipped: Checkpoint
) -> None:
    process, url = app
    wrote = alone.submit(asyncio.run, read(url, process)).result()
    assert wrote == [explain(shipped, text).text for text in SENTENCES]


async def read(url: str, app: psutil.Process) -> list[str]:
    """What stands under "target" for each sentence: before the calculator is there, from it, and after its death."""
    readers = [await Session.open(url) for _ in range(worker_process.MANY)]
    for reader in readers:
        assert not (await reader.start()).errors
    first = await asked(readers[0], SENTENCES[0])
    child = await until(lambda: next((each for each in app.children() if "viz_core.calculator" in each.cmdline()), None))
    pipes = Path(f"/proc/{child.pid}/fd")
    await until(lambda: (pipes / "1").readlink() == (pipes / "2").readlink())  # it has begun: what it prints is no answer any more
    await until(lambda: child.status() == psutil.STATUS_SLEEPING)  # it waits for calls
    before = child.cpu_times().user
    second = await asked(readers[1], SENTENCES[1])
    assert child.cpu_times().user > before
    child.kill()
    third = await asked(readers[2], SENTENCES[2])
    for reader in readers:
        await reader.close()
    return [first, second, third]


async def asked(reader: Session, text: str) -> str:
    assert not (await reader.visit(text=text)).errors
    shown: str = reader.data("top_bar")["suggested"]["target"]
    return shown


async def until(found: Callable[[], Any]) -> Any:
    end = time.monotonic() + SOON
    while not (thing := found()):
        assert time.monotonic() < end
        await asyncio.sleep(0.05)
    return thing
