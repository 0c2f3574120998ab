"""The load test speaks as a browser does, and every reader is answered. How long an answer takes is no test."""

import re
from concurrent.futures import ThreadPoolExecutor

import pytest

from benchmarks import load
from benchmarks.readers import BUTTON, CONTROL, FIRST, PAGE, SENTENCE, STEP, Reader


def test_each_of_two_readers_is_answered_without_an_error(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(load, "ALONE", 1)
    monkeypatch.setattr(Reader, "tour", leave_out)
    # What comes every 20 s is first done within 20 / 60 s, however slow the machine is.
    with ThreadPoolExecutor(1) as alone:  # in this thread an event loop may run already: that of another test's browser
        wrong = alone.submit(load.main, ["--sessions", "2", "--seconds", "0.5", "--pace", "60", "--steps-sent"]).result()
    printed = capsys.readouterr().out
    assert not wrong, printed
    named = [f"app: {what}" for what in (FIRST, SENTENCE, PAGE, CONTROL, STEP)] + [
        f"empty page: {what}" for what in (FIRST, BUTTON)
    ]
    answered = {what: re.search(rf"{what} +(\d+) ", printed) for what in named}
    assert [what for what, found in answered.items() if not found or found[1] == "0"] == [], printed


async def leave_out(_: Reader) -> None:
    """Every page once takes the longest."""


def test_only_a_server_on_this_machine_is_loaded(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        load.main(["--url", "https://example.com"])
    assert "not on this machine" in capsys.readouterr().err
