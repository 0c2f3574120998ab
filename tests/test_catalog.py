"""A model is named in one way everywhere: by its name, in any working directory, or by the path of its folder."""

import shutil
from pathlib import Path

import pytest

import viz_core
from tests.serving.started import free_port
from viz_core.app import models
from viz_core.catalog import SHIPPED
from viz_core.cli import main
from viz_core.home import CHECKPOINTS_BY

COMMANDS = {
    "translate": ["--checkpoint", "{}"],
    "heads": ["{}"],
    "passes, beside": ["--checkpoint", "en-de-masked", "--beside", "{}", "--pairs", "pairs.tsv"],
    "train": ["--start", "{}", "--pairs", "pairs.tsv", "--valid", "pairs.tsv", "--out", "out"],
}


@pytest.fixture
def own(checkpoint_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of one's own with the model `mine`; the working directory is another one, which has pairs."""
    shutil.copytree(checkpoint_folder, tmp_path / "own" / "mine")
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    monkeypatch.setenv(CHECKPOINTS_BY, str(tmp_path / "own"))
    Path("pairs.tsv").write_text("A baker.\tEin Bäcker.\n")
    return tmp_path / "own"


@pytest.mark.usefixtures("own")
@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_answers_an_unknown_name_with_the_names_there_are(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([command.split(",", maxsplit=1)[0], *(word.format("EN-DE-tny") for word in COMMANDS[command])]) == 1
    last = capsys.readouterr().err.splitlines()[-1]
    assert last.startswith("error: EN-DE-tny: no such checkpoint folder, and no model of that name; there are en-de-tiny, "), last
    assert all(name in last for name in ("mine", *(path.name for path in SHIPPED.iterdir()))), last


@pytest.mark.parametrize("name", ["mine", "en-de-tiny"])
def test_a_name_works_in_python_and_in_commands_in_any_folder(own: Path, name: str) -> None:
    folder = viz_core.checkpoints()[name]
    assert folder == {"mine": own, "en-de-tiny": SHIPPED}[name] / name
    assert viz_core.load(name).digest == viz_core.load(folder).digest
    assert main(["trace", "--checkpoint", name, "--text", "A baker.", "--out", "x.safetensors"]) == 0
    assert main(["evaluate", "--checkpoint", name, "--pairs", "pairs.tsv"]) == 0


def test_the_app_offers_a_folder_of_ones_own_beside_the_shipped_one(own: Path) -> None:
    shutil.copytree(own / "mine", own / "en-fr")  # takes the place of the shipped one
    assert models.shipped()[0][:2] == ["en-fr", "mine"]
    assert "en-de" in models.usable()[0]
    assert models.get_checkpoint("mine").digest == models.get_checkpoint("en-fr").digest == viz_core.load("mine").digest
    assert models.folder(models.get_checkpoint("mine")) == own / "mine"


def test_a_server_is_given_the_folder_by_its_absolute_path_or_it_does_not_start(
    own: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    started: list[dict[str, str]] = []
    monkeypatch.setattr("os.execve", lambda _, __, environment: started.append(environment))
    monkeypatch.delenv(CHECKPOINTS_BY)
    for wrong, said in (("../nowhere", "no such folder"), (str(own / "mine"), "is one checkpoint")):
        assert main(["app", "--port", str(free_port()), "--checkpoints", wrong]) == 1
        assert said in capsys.readouterr().err
    assert started == []
    assert main(["app", "--port", str(free_port()), "--checkpoints", "../own"]) == 0
    assert Path(started[0][CHECKPOINTS_BY]).resolve() == own.resolve()
    assert Path(started[0][CHECKPOINTS_BY]).is_absolute()
