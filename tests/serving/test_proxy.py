"""Two workers behind deploy/haproxy.cfg, below a path of their own."""

import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.parse import quote

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from tests.serving.reader import Reader
from tests.serving.started import HAPROXY, ROOT, app, free_port, needs_haproxy, until_well

SCRIPT = "</script><script>alert(1)</script>"
SENTENCE = "text=The+dog+sleeps."
ENVIRONMENT = {"VIZ_COOKIE_SECRET": "secret", "VIZ_READY": "/viz/ready"}


Workers = dict[int, subprocess.Popen[bytes]]
"""The processes, by their ports."""


@pytest.fixture(scope="module")
def workers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workers]:
    folder = tmp_path_factory.mktemp("serve")
    with ExitStack() as stack:
        started = [stack.enter_context(app(folder, "viz", STREAMLIT_SERVER_COOKIE_SECRET="secret")) for _ in range(2)]
        for _, port in started:
            until_well(f"http://127.0.0.1:{port}/viz")
        yield {port: process for process, port in started}


@contextmanager
def proxy(command: list[str], port: int, environment: dict[str, str] | None = None) -> Iterator[None]:
    """A proxy that answers on that port."""
    process = subprocess.Popen(command, env=environment)
    try:
        until_well(f"http://127.0.0.1:{port}/viz")
        yield
    finally:
        process.terminate()
        process.wait(20)


@pytest.fixture(scope="module")
def served(workers: Workers, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of both behind HAProxy."""
    port = free_port()
    lines = (ROOT / "deploy" / "haproxy.cfg").read_text("utf-8").replace("bind :8501", f"bind 127.0.0.1:{port}").splitlines()
    assert lines[-1].split()[:4] == ["server-template", "worker", "32", "app:8501"]
    lines[-1:] = [f"    server worker-{at} 127.0.0.1:{at}" for at in workers]
    (file := tmp_path_factory.mktemp("haproxy") / "haproxy.cfg").write_text("\n".join([*lines, ""]))
    with proxy([HAPROXY, "-db", "-f", str(file)], port, ENVIRONMENT):
        yield f"http://127.0.0.1:{port}/viz"


@needs_haproxy
def test_bad_input_is_answered_and_harms_nobody_else(served: str) -> None:
    for text, status in (("x" * 20_000, 200), ("x" * 60_000, 400), (SCRIPT, 200)):
        answer = httpx.get(f"{served}/?text={text}", trust_env=False)
        assert answer.status_code == status
        assert SCRIPT not in answer.text
    with Reader(served) as reader:
        assert "alert" in reader.run(f"text={quote(SCRIPT)}")  # among the tokens of the sentence
        assert reader.upload(6_000_000) == 413
    with Reader(served) as reader:
        assert "Hund" in reader.run(SENTENCE)


@needs_haproxy
def test_a_killed_worker_costs_its_reader_one_connection(served: str, workers: Workers) -> None:
    with Reader(served) as one, Reader(served) as other:
        lost = 0
        for reader in (one, other):
            assert "Hund" in reader.run(SENTENCE)
        assert one.worker != other.worker
        next(iter(workers.values())).kill()
        for reader in (one, other):
            try:
                page = reader.run(f"{SENTENCE}&step=2")
            except ConnectionClosed:
                lost += 1
                reader.connect()  # as Streamlit does in the browser, or a reload
                page = reader.run(f"{SENTENCE}&step=2")
            assert "Hund" in page
            assert reader.upload(1000) == 204
        assert lost == 1
        assert one.worker == other.worker


@needs_haproxy
def test_haproxy_takes_the_configuration_as_it_stands(tmp_path: Path) -> None:
    command = [HAPROXY, "-c", "-f", str(ROOT / "deploy" / "haproxy.cfg")]
    done = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "[WARNING]" not in done.stderr
