"""The checkpoints that the app offers."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from viz_core.app import models
from viz_core.home import HOME, TOUR

IN_A_THREAD = """
import app, threading, torch
names = ("at::get_num_threads", "omp_get_max_threads", "mkl_get_max_threads")
told = lambda: print([line for line in torch.__config__.parallel_info().splitlines() if line.strip().startswith(names)])
threading.Thread(target=told).start()
"""


def test_a_pass_has_one_thread_in_whatever_thread_it_is_computed() -> None:
    environment = {name: value for name, value in os.environ.items() if name != "OMP_NUM_THREADS"}
    told = subprocess.run(
        [sys.executable, "-c", IN_A_THREAD], cwd=HOME, env=environment, capture_output=True, text=True, check=True
    )
    assert [int(number) for number in re.findall(r": (\d+)", told.stdout)][:2] == [1, 1]


@pytest.fixture
def one_broken(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Of two checkpoints the first is no checkpoint."""
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "config.json").write_text("{}")
    (tmp_path / "whole").symlink_to(HOME / "checkpoints" / "en-de-tiny")
    monkeypatch.setattr(models, "ROOT", tmp_path)


@pytest.mark.usefixtures("one_broken")
def test_just_started_a_server_offers_all_and_later_those_that_are_whole() -> None:
    models.verify_later()
    assert models.shipped() == (["broken", "whole"], [])
    assert models.usable()[0] == ["whole"], "who computes with them gets those that are whole"
    assert models.config_of("whole") == models.get_checkpoint("whole").config
    models.prepare()
    names, wrong = models.shipped()
    assert (names, [name for name, _ in wrong]) == (["whole"], ["broken"])


@pytest.mark.usefixtures("one_broken")
def test_the_one_that_is_chosen_first_may_be_broken() -> None:
    models.verify_later()
    app = AppTest.from_file(TOUR, default_timeout=60).run()
    assert not app.exception
    assert app.session_state["_view"].checkpoint.name == "whole"
    assert [warning.value for warning in app.warning if "broken" in warning.value]
