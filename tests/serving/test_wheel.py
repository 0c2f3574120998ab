"""What `pip install .` installs: a wheel in an empty environment does all that the repository does."""

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import venv
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.serving.reader import Reader
from tests.serving.started import ROOT, free_port, stop, until_well

NOBODY = "setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all,+dac_read_search --ambient-caps=-all,+dac_read_search"
AS_NOBODY = NOBODY.split() if os.getuid() == 0 and shutil.which("setpriv") else []
"""As in a container, who runs the app may not write where it lies; but may read root's Python, where that is the one in use."""


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    """Not below /tmp/pytest-of-…, which is closed to others."""
    with tempfile.TemporaryDirectory(prefix="viz-core-test-") as name:
        Path(name).chmod(0o755)
        yield Path(name)


@pytest.fixture(scope="module")
def viz_core(folder: Path) -> str:
    """The command of an environment that holds the wheel; its dependencies are those of this one, so that no network is needed."""
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "wheel", "--no-build-isolation", "--no-deps", "--wheel-dir", str(folder), str(ROOT)], check=True)
    (wheel,) = folder.glob("*.whl")
    environment = folder / "environment"
    venv.create(environment, symlinks=True)
    bin_ = environment / "bin"
    subprocess.run([*pip, "--python", str(bin_ / "python"), "install", "--no-deps", "--no-compile", str(wheel)], check=True)
    (site,) = environment.glob("lib/*/site-packages")
    (site / "dependencies.pth").write_text(sysconfig.get_path("purelib"))
    return str(bin_ / "viz-core")


@pytest.fixture
def empty(folder: Path) -> Iterator[Path]:
    """A folder to be in, writable for all."""
    with tempfile.TemporaryDirectory(dir=folder) as name:
        Path(name).chmod(0o777)
        yield Path(name)


def test_a_notebook_names_a_model_in_an_empty_folder(viz_core: str, empty: Path) -> None:
    program = "from viz_core import *\nprint(*checkpoints())\nprint(explain(load('en-de-tiny'), 'The cat sleeps.').text)"
    python = [str(Path(viz_core).with_name("python")), "-c", program]
    names, text = subprocess.run(python, cwd=empty, capture_output=True, text=True, check=True).stdout.splitlines()
    assert names.split() == sorted(path.name for path in (ROOT / "checkpoints").iterdir())
    assert text == "Die Katze schläft."


def test_the_command_opens_the_app_for_another_user(viz_core: str, empty: Path) -> None:
    """What the image runs, where nothing but /tmp can be written. The page of a sentence comes through the websocket."""
    port = free_port()
    command = [*AS_NOBODY, viz_core, "app", "--port", str(port), "--address", "127.0.0.1"]
    environment = os.environ | {"HOME": "/nonexistent", "PYTHONDONTWRITEBYTECODE": "1"}
    empty.chmod(0o555)
    with (empty / "log").open("wb") as log:
        process = subprocess.Popen(command, cwd=empty, env=environment, stdout=log, stderr=log)
    try:
        url = f"http://127.0.0.1:{port}"
        until_well(url)
        with Reader(url) as reader:
            assert "Hund" in reader.run("text=The+dog+sleeps.")
            assert reader.upload(6_000_000) == 413  # .streamlit/config.toml is found: 5 MB, where Streamlit's default is 200
    finally:
        stop(process)
    assert "Traceback" not in (empty / "log").read_text()
