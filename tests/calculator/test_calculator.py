"""The calculator gives what this process would have computed, and where it cannot, says so."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from tests.calculator import work
from viz_core import checkpoint as checkpoints
from viz_core.analysis.search import BeamOptions, search
from viz_core.calculator import client
from viz_core.calculator.client import Calculator, Unreachable
from viz_core.checkpoint import Checkpoint
from viz_core.edits import Edits, Head
from viz_core.errors import TextError
from viz_core.explain import explain, traced_pass
from viz_core.home import HOME
from viz_core.model import Transformer
from viz_core.texts import in_this_language, speak

FOLDER = HOME / "checkpoints" / "en-de-tiny"
TEXT = "The tall nurse hides a green kettle."
SOON = 30.0


def becomes(true: Callable[[], bool]) -> None:
    until = time.monotonic() + SOON
    while not true():
        assert time.monotonic() < until
        time.sleep(0.01)


@pytest.fixture(scope="module")
def started() -> Iterator[Calculator]:
    made = Calculator()
    made.start()
    becomes(lambda: made.ready)
    yield made
    made.stop()


@pytest.fixture(scope="module")
def tiny() -> Checkpoint:
    found = checkpoints.load(FOLDER)
    client.register_checkpoint(found, FOLDER)
    return found


@pytest.mark.parametrize(
    ("target", "edits"),
    [("", Edits()), ("Die Katze schläft.", Edits()), ("", Edits(heads={Head("cross", 0, 1)}, force={1: "Hund"}, no_scale=True))],
)  # fmt: skip
def test_an_explanation_is_the_same_to_the_bit(started: Calculator, tiny: Checkpoint, target: str, edits: Edits) -> None:
    here, there = explain(tiny, TEXT, target, edits), started.call("pass", explain, tiny, TEXT, target, edits)
    assert repr(there) == repr(here)
    assert (there.source, there.target, there.output, there.notices) == (here.source, here.target, here.output, here.notices)
    assert list(there.trace) == list(here.trace)
    for site in here.trace:
        assert np.array_equal(there.trace[site].numpy(), here.trace[site].numpy(), equal_nan=True), site
    for ours, theirs in zip(here.steps, there.steps, strict=True):
        assert np.array_equal(ours.log_probs, theirs.log_probs, equal_nan=True)
        assert ours.top() == theirs.top()
    assert there.steps[0]._tokenizer is tiny.tokenizer  # not a copy, which each kept sentence would hold


def test_explanations_and_passes_go_there_and_back(started: Calculator, tiny: Checkpoint) -> None:
    explained = explain(tiny, TEXT)
    found, alone = started.call("long", search, tiny, explained, BeamOptions()), search(tiny, explained, BeamOptions())
    assert (found.best, found.greedy) == (alone.best, alone.greedy)
    source, target = [explained.source.ids], [explained.target.ids]
    there, here = started.call("pass", traced_pass, tiny, source, target), traced_pass(tiny, source, target)
    assert all(np.array_equal(there[site], here[site]) for site in here)


def test_words_are_in_the_language_of_who_asks(started: Calculator) -> None:
    @in_this_language
    def ask() -> str:
        speak("zh")
        answer: str = started.call("pass", work.spoken)
        return answer

    assert ask() == "zh"
    assert started.call("pass", work.spoken) == "en"


def test_an_error_comes_as_it_was_raised(started: Calculator) -> None:
    with pytest.raises(TextError, match="not this one"):
        started.call("pass", work.refused)
    with pytest.raises(SystemExit):
        started.call("pass", work.leaving)
    assert started.call("pass", work.spoken) == "en"  # the next is done


def test_what_it_lacks_is_to_be_computed_here(started: Calculator, tiny: Checkpoint, tmp_path: Path) -> None:
    unknown = checkpoints.load(FOLDER)  # nobody has said where it stands
    for given in (unknown, unknown.model, Transformer(tiny.config)):
        with pytest.raises(Unreachable):
            started.call("pass", explain, given, TEXT)
    with pytest.raises(Unreachable):
        started.call("pass", lambda: 0)
    with pytest.raises(Unreachable):
        started.call("pass", work.unspeakable)
    changed = tmp_path / "changed"
    changed.symlink_to(HOME / "checkpoints" / "en-de")  # trained anew meanwhile, as it were
    client.register_checkpoint(unknown, changed)
    with pytest.raises(Unreachable, match="other weights"):
        started.call("pass", explain, unknown, TEXT)


def test_progress_is_told_and_who_leaves_ends_the_work(started: Calculator, tmp_path: Path) -> None:
    class Left(BaseException):
        pass

    told: list[tuple[int, int | None]] = []

    def report(done: int, total: int | None) -> None:
        told.append((done, total))
        if len(told) == 3:
            raise Left

    file = tmp_path / "told"
    with pytest.raises(Left):
        started.call("long", work.counting, file, report=report)
    becomes(lambda: file.exists() and file.read_text() == "given up")
    assert told[0] == (0, 10_000)
    assert told[2][0] > told[1][0]
    assert started.call("long", work.spoken) == "en"  # the next is done


def test_it_rests_and_after_a_death_it_is_started_again_but_not_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "TRIES", 1)
    made = Calculator()

    def gone() -> bool:
        return made._process is None

    try:
        with pytest.raises(Unreachable):
            made.call("pass", work.spoken)  # not there yet
        monkeypatch.setattr(client, "LIVED", 0.0)  # however soon it rests
        made.start()
        made.rest()  # before it is ready
        becomes(gone)
        monkeypatch.setattr(client, "LIVED", 1000.0)  # however slowly it starts
        made.start()
        becomes(lambda: made.ready)
        with pytest.raises(Unreachable):
            made.call("pass", work.killed)
        becomes(gone)
        made.start()  # dead as soon as it was started, each time: no more
        assert gone() and not made.ready
    finally:
        made.stop()
