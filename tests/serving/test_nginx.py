"""The lines for nginx in docs/deploy.md, as they stand there: pages, websocket and uploads below a path, by another host name."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.serving.reader import Reader
from tests.serving.started import ROOT, app, free_port, until_well

NGINX = shutil.which("nginx") or shutil.which("/usr/sbin/nginx") or ""
pytestmark = pytest.mark.skipif(not NGINX, reason="nginx is missing; tests/run installs it where it may (apt-get, as root)")
DOCUMENTED = re.search(r"```nginx\n(.*?)```", (ROOT / "docs" / "deploy.md").read_text("utf-8"), re.DOTALL)
AROUND = """
daemon off;
master_process off;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
    server {{
        listen 127.0.0.1:{port};
{location}
    }}
}}
"""


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    assert DOCUMENTED, "docs/deploy.md has no lines for nginx"
    folder, port = tmp_path_factory.mktemp("nginx"), free_port()
    with app(folder, "viz") as (_, behind):
        until_well(f"http://127.0.0.1:{behind}/viz")
        location = DOCUMENTED[1].replace("127.0.0.1:8501", f"127.0.0.1:{behind}")
        assert f":{behind};" in location
        (file := folder / "nginx.conf").write_text(AROUND.format(folder=folder, port=port, location=location))
        command = [NGINX, "-p", str(folder), "-c", str(file)]
        checked = subprocess.run([*command, "-t"], capture_output=True, text=True, check=False)
        assert checked.returncode == 0 and "[warn]" not in checked.stderr, checked.stderr
        proxy = subprocess.Popen(command)
        try:
            until_well(f"http://127.0.0.1:{port}/viz")
            yield f"http://localhost:{port}/viz"  # another name than the one that nginx asks for
        finally:
            proxy.terminate()
            proxy.wait(20)


def test_a_page_runs_through_the_websocket_and_takes_an_upload(url: str) -> None:
    with Reader(url) as reader:
        page = reader.run("text=The+dog+sleeps.")
        assert "Hund" in page and "/viz/parts/alive" in page
        assert reader.upload(1000) == 204
        assert reader.upload(2_000_000) == 204  # without the line for it nginx refuses more than 1 MB


def test_what_it_asks_for_is_there_below_the_path_alone(url: str, tmp_path: Path) -> None:
    with Reader(url) as reader:
        assert reader.client.get("/_stcore/health").text == "ok"
        assert reader.client.get("/output").status_code == 200
        assert reader.client.get(url.removesuffix("/viz") + "/").status_code == 404
