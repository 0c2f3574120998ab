"""`viz_core serve`, as its readers meet it: through HAProxy, with two workers."""

from __future__ import annotations

import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from urllib.parse import quote

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from tests.serving.reader import Reader
from tests.serving.started import Served, needs_haproxy, serving
from viz_core.cli import main
from viz_core.serving.proxy import News

SCRIPT = "</script><script>alert(1)</script>"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Two workers, below a path of their own, as behind a university's proxy."""
    with serving(tmp_path_factory.mktemp("serve"), workers=2, base_path="uni/viz") as served:
        assert within(60, lambda: workers_met(served, 4) == 2), served.log.read_text()  # the proxy has seen that both are well
        yield served


@needs_haproxy
def test_readers_of_one_client_address_are_spread_over_the_workers(served: Served) -> None:
    assert workers_met(served, 8) == 2


@needs_haproxy
def test_it_begins_with_two_plain_lines(served: Served) -> None:
    """HAProxy alarms where a worker is down, as all are at first; one that is killed later is news (below)."""
    began, opened = served.log.read_text("utf-8").splitlines()
    assert (began, opened) == ("Starting 2 workers …", f"The app is open at {served.url.replace('127.0.0.1', 'localhost')}")
    assert News()("[ALERT] (1) : Starting frontend readers: cannot bind socket (Address already in use) [127.0.0.1:8501]")


@needs_haproxy
def test_websocket_and_upload_of_a_reader_reach_the_same_worker(served: Served) -> None:
    for _ in range(2):
        with Reader(served.url) as reader:
            page = reader.run("text=The+dog+sleeps.")
            assert "Hund" in page
            assert "/uni/viz/parts/alive" in page  # where the browser asks whether the server is still there
            assert [reader.upload(1000) for _ in range(3)] == [204, 204, 204]  # the other worker knows no such session: 400


@needs_haproxy
def test_bad_input_is_answered_and_harms_nobody_else(served: Served) -> None:
    for text, status in (("x" * 20_000, 200), ("x" * 60_000, 400), (SCRIPT, 200)):
        answer = httpx.get(f"{served.url}/?text={text}", trust_env=False)
        assert answer.status_code == status
        assert SCRIPT not in answer.text
    with Reader(served.url) as reader:
        assert "alert" in reader.run(f"text={quote(SCRIPT)}")  # among the tokens of the sentence
        assert reader.upload(6_000_000) == 413
    with Reader(served.url) as reader:
        assert "Hund" in reader.run("text=The+dog+sleeps.")


@needs_haproxy
def test_a_killed_worker_costs_its_reader_one_connection(served: Served) -> None:
    with Reader(served.url) as one, Reader(served.url) as other:
        lost = 0
        for reader in (one, other):
            assert "Hund" in reader.run("text=The+dog+sleeps.")
        assert one.worker != other.worker
        served.workers()[0].kill()
        for reader in (one, other):
            try:
                page = reader.run("text=The+dog+sleeps.&step=2")
            except ConnectionClosed:
                lost += 1
                reader.connect()  # as Streamlit does in the browser, or a reload
                page = reader.run("text=The+dog+sleeps.&step=2")
            assert "Hund" in page
            assert reader.upload(1000) == 204
        assert lost == 1
        assert one.worker == other.worker
    assert within(20, lambda: len(served.workers()) == 2), served.log.read_text()
    assert within(20, lambda: bool(re.search("Server workers/worker-. is DOWN", served.log.read_text("utf-8"))))


def workers_met(served: Served, readers: int) -> int:
    """How many workers that many new readers are sent to."""
    workers = set()
    for _ in range(readers):
        with Reader(served.url) as reader:
            workers.add(reader.worker)
    return len(workers)


def within(seconds: float, condition: Callable[[], bool]) -> bool:
    """Whether a condition comes true in time."""
    until = time.monotonic() + seconds
    while not (met := condition()) and time.monotonic() < until:
        time.sleep(0.1)
    return met


@pytest.mark.skipif(not shutil.which("setpriv"), reason="of Linux alone")
def test_what_it_keeps_running_ends_with_it_even_when_it_is_killed() -> None:
    child = "import time; print('up', flush=True); time.sleep(60)"
    commands = f"{{'a': [sys.executable, '-c', {child!r}]}}"
    code = f"import os, sys; from viz_core.serving.supervisor import keep_running; keep_running({commands}, os.environ)"
    kept = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE)
    assert kept.stdout is not None and kept.stdout.readline() == b"up\n"
    kept.kill()
    kept.wait()
    assert kept.stdout.read() == b"", "its end of the pipe is closed once it has ended"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["serve", "--workers", "0"], "--workers is 0, expected 1 to"),
        (["serve", "--port", "70000"], "--port is 70000"),
        (["serve", "--address", "bad host"], "--address is 'bad host'"),
        (["serve", "--base-path", 'a"b\nbind :80'], "--base-path is"),
        (["serve", "--certificate", "none.pem"], "none.pem: no such file"),
        (["proxy", "--to", "app"], "--to is 'app', expected a name and a port"),
    ],
)
def test_an_option_that_cannot_be_is_refused_in_one_line(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 1
    assert said in capsys.readouterr().err


def test_a_missing_haproxy_is_named_with_the_command_that_installs_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    assert main(["serve", "--port", "8749"]) == 1
    assert "apt install haproxy" in capsys.readouterr().err


def test_a_port_that_is_taken_is_named_before_anything_starts(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        assert main(["serve", "--port", str(taken.getsockname()[1])]) == 1
    assert "cannot listen on localhost" in capsys.readouterr().err
