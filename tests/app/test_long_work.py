"""A page that waits for a long computation: it shows how far it is, can be left at any time, and holds up nobody else."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from streamlit.runtime import Runtime
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.local_script_runner import LocalScriptRunner

from pages.why import source_words
from tests.foot import ask
from tests.pages.test_all_pages import opened
from viz_core.analysis.alignment import prediction_difference
from viz_core.analysis.integrated_gradients import integrated_gradients
from viz_core.analysis.roles.importance import importance
from viz_core.analysis.rollout import encoder_flow
from viz_core.analysis.search import BeamOptions, search
from viz_core.app import long_work, models, run_lock
from viz_core.app.pool import Pool
from viz_core.errors import VizError
from viz_core.explain import explain
from viz_core.progress import Progress

ROOT = Path(__file__).parents[2]
PAGE, TEXT, MODEL = "why/page.py", "A baker hides two maps.", "en-de-tiny"
LONG = 30.0
"""Seconds within which a page comes."""


@pytest.fixture(autouse=True)
def pool(monkeypatch: pytest.MonkeyPatch) -> Iterator[Pool]:
    """A pool for one computation at a time, of which the reader hears at once."""
    monkeypatch.chdir(ROOT)
    made = Pool(1)
    monkeypatch.setattr(long_work, "POOL", made)
    monkeypatch.setattr(long_work, "SOON", 0.0)
    monkeypatch.setattr(long_work, "EVERY", 0.01)
    yield made


class Slow:
    """In place of an analysis: begins, reports 3 of 7, and waits until it is let go."""

    def __init__(self) -> None:
        self.calls = 0
        self.begun, self.go = threading.Event(), threading.Event()
        self.fails = False

    def __call__(self, model: Any, explanation: Any, progress: Progress | None = None) -> Any:
        self.calls += 1
        assert progress
        progress(3, 7)
        self.begun.set()
        assert self.go.wait(LONG)
        if self.fails:
            raise VizError("as <b>asked</b>")
        return prediction_difference(model, explanation)


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Iterator[Slow]:
    made = Slow()
    monkeypatch.setattr(source_words, "prediction_difference", made)
    yield made
    made.go.set()


class Sign:
    """What a waiting page shows last, and whether it has shown how far the work is."""

    def __init__(self) -> None:
        self.said = self.shown = ""
        self.counted = threading.Event()


@pytest.fixture
def sign(monkeypatch: pytest.MonkeyPatch) -> Sign:
    made, update = Sign(), long_work._Sign.update

    def noted(self: Any, work: Any) -> None:
        update(self, work)
        made.said, made.shown = self._sent_status, self._sent_count
        if made.shown:
            made.counted.set()

    monkeypatch.setattr(long_work._Sign, "update", noted)
    return made


@pytest.fixture
def threads() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(4) as made:
        yield made


def needed() -> AppTest:
    """Opens the view that needs the slow analysis."""
    app = opened(PAGE)
    return ask(app, text=TEXT, model=MODEL, show="source_words")


def waits(slow: Slow, threads: ThreadPoolExecutor) -> Future[AppTest]:
    """A reader who waits for it."""
    reader = threads.submit(needed)
    assert slow.begun.wait(LONG)
    return reader


def test_other_readers_see_their_pages_meanwhile(slow: Slow, threads: ThreadPoolExecutor, sign: Sign) -> None:
    reader = waits(slow, threads)
    assert sign.counted.wait(LONG)
    assert not run_lock._runs._taken  # who waits takes nobody's turn
    runtime = Runtime._instance
    opened("residual/page.py")
    Runtime._instance = runtime  # an AppTest that ends takes it away from the other
    assert not reader.done()
    slow.go.set()
    assert not reader.result(LONG).exception


def test_an_error_is_said_in_its_own_words(slow: Slow, threads: ThreadPoolExecutor) -> None:
    slow.fails = True
    reader = waits(slow, threads)
    slow.go.set()
    app = reader.result(LONG)
    assert not app.exception
    assert ["asked" in each.value and "<b>" not in each.value for each in app.error] == [True]


def test_a_reader_can_leave_at_any_time(
    slow: Slow, threads: ThreadPoolExecutor, pool: Pool, sign: Sign, monkeypatch: pytest.MonkeyPatch
) -> None:
    runners: list[LocalScriptRunner] = []

    class Noted(LocalScriptRunner):
        def __init__(self, *arguments: Any, **named: Any) -> None:
            super().__init__(*arguments, **named)
            runners.append(self)

    monkeypatch.setattr("streamlit.testing.v1.app_test.LocalScriptRunner", Noted)
    reader = waits(slow, threads)
    assert sign.counted.wait(LONG)  # from now on the page sends nothing
    runners[-1].request_stop()  # as another page would: a request that the script hears where it yields
    reader.result(LONG)
    assert not slow.go.is_set()
    assert [work.readers for work in pool._works.values()] == [0]


def test_each_analysis_counts_to_its_end_and_its_result_is_the_same() -> None:
    checkpoint = models.get_checkpoint(MODEL)
    model, ex = checkpoint.model, explain(checkpoint, "The tall nurse hides two umbrellas.")
    works: dict[str, Callable[..., Any]] = {
        "gradients": lambda **how: integrated_gradients(model, ex, 1, 9, points=8, **how).source.tolist(),
        "erasure": lambda **how: prediction_difference(model, ex, **how).tolist(),
        "ablation": lambda **how: importance(model, ex, 1 << 17, **how).log_probs.tolist(),
        "flow": lambda **how: encoder_flow(ex.trace, 1, **how).tolist(),
        "beam": lambda **how: search(checkpoint, ex, BeamOptions(2), **how).best,
    }
    seen: list[tuple[int, int | None]] = []
    for name, work in works.items():
        seen.clear()
        assert work(progress=lambda *each: seen.append(each)) == work(), name
        done, total = seen[-1]
        assert total in (done, None), name
        assert [each[0] for each in seen] == [*range(done + 1)], name
        assert done > 0, name
