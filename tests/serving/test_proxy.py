"""deploy/haproxy.cfg, as readers meet it: two workers behind the proxy, below a path of their own."""

import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from tests.serving.reader import Reader
from tests.serving.started import HAPROXY, ROOT, app, free_port, needs_haproxy, until_well

SCRIPT = "</script><script>alert(1)</script>"
SENTENCE = "text=The+dog+sleeps."
pytestmark = needs_haproxy


@dataclass
class Served:
    """The app behind its proxy. workers: the processes, by their ports."""

    url: str
    workers: dict[int, subprocess.Popen[bytes]]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder, port = tmp_path_factory.mktemp("serve"), free_port()
    with ExitStack() as stack:
        started = [stack.enter_context(app(folder, "uni/viz", STREAMLIT_SERVER_COOKIE_SECRET="secret")) for _ in range(2)]
        workers = {port: process for process, port in started}
        lines = (ROOT / "deploy" / "haproxy.cfg").read_text("utf-8").replace("bind :8501", f"bind 127.0.0.1:{port}").splitlines()
        assert lines[-1].split()[:4] == ["server-template", "worker", "32", "app:8501"]
        lines[-1:] = [f"    server worker-{port} 127.0.0.1:{port}" for port in workers]
        (file := folder / "haproxy.cfg").write_text("\n".join([*lines, ""]))
        environment = {"VIZ_COOKIE_SECRET": "secret", "VIZ_READY": "/uni/viz/ready"}
        proxy = subprocess.Popen([HAPROXY, "-db", "-f", str(file)], env=environment)
        stack.callback(proxy.wait)
        stack.callback(proxy.terminate)
        for at in (*workers, port):
            until_well(f"http://127.0.0.1:{at}/uni/viz")
        yield Served(f"http://127.0.0.1:{port}/uni/viz", workers)


def test_readers_of_one_client_address_are_spread_over_the_workers(served: Served) -> None:
    met = set()
    for _ in range(8):
        with Reader(served.url) as reader:
            met.add(reader.worker)
    assert len(met) == 2


def test_websocket_and_upload_of_a_reader_reach_the_same_worker(served: Served) -> None:
    for _ in range(2):
        with Reader(served.url) as reader:
            page = reader.run(SENTENCE)
            assert "Hund" in page
            assert "/uni/viz/parts/alive" in page  # where the browser asks whether the server is still there
            assert [reader.upload(1000) for _ in range(3)] == [204, 204, 204]  # the other worker knows no such session: 400


def test_bad_input_is_answered_and_harms_nobody_else(served: Served) -> None:
    for text, status in (("x" * 20_000, 200), ("x" * 60_000, 400), (SCRIPT, 200)):
        answer = httpx.get(f"{served.url}/?text={text}", trust_env=False)
        assert answer.status_code == status
        assert SCRIPT not in answer.text
    with Reader(served.url) as reader:
        assert "alert" in reader.run(f"text={quote(SCRIPT)}")  # among the tokens of the sentence
        assert reader.upload(6_000_000) == 413
    with Reader(served.url) as reader:
        assert "Hund" in reader.run(SENTENCE)


def test_a_killed_worker_costs_its_reader_one_connection(served: Served) -> None:
    with Reader(served.url) as one, Reader(served.url) as other:
        lost = 0
        for reader in (one, other):
            assert "Hund" in reader.run(SENTENCE)
        assert one.worker != other.worker
        next(iter(served.workers.values())).kill()
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


def test_haproxy_takes_the_configuration_as_it_stands(tmp_path: Path) -> None:
    command = [HAPROXY, "-c", "-f", str(ROOT / "deploy" / "haproxy.cfg")]
    environment = {"VIZ_COOKIE_SECRET": "secret", "VIZ_READY": "/ready"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "[WARNING]" not in done.stderr
