"""python -m viz_core heads measures, stores and prints; what is wrong is reported in one line, and the old file stays."""

import shutil
from pathlib import Path

import pytest

from viz_core.analysis.roles.table import NAME, read
from viz_core.checkpoint import Checkpoint
from viz_core.cli import main

LINES = b"\xef\xbb\xbfMy aunt hides two umbrellas.\r\n\n  \nA baker!\nbad \xef\xbf\xbd byte"


@pytest.fixture
def folder(checkpoint_folder: Path, tmp_path: Path) -> Path:
    """A copy to write into."""
    return Path(shutil.copytree(checkpoint_folder, tmp_path / "tiny"))


@pytest.fixture
def lines(tmp_path: Path) -> Path:
    path = tmp_path / "lines.txt"
    path.write_bytes(LINES)
    return path


def test_it_stores_what_a_reader_then_finds(
    folder: Path, lines: Path, checkpoint: Checkpoint, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    references = tmp_path / "references.txt"
    references.write_text("Meine Tante versteckt Schirme.\n\n\nEin Bäcker!\nx")
    assert main(["heads", str(folder), "--sentences", str(lines), "--references", str(references)]) == 0
    found, _ = read(folder, checkpoint)
    assert found
    assert found.importance
    assert found.importance.bleu
    assert found.count == found.importance.count == found.importance.bleu.count == 3  # blank lines are none
    out = capsys.readouterr().out.splitlines()
    assert [len(line.split("  ")) > 1 for line in out] == [False, True, True] * 3


def test_stopped_half_way_the_old_file_stays(folder: Path, lines: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    (folder / NAME).write_text("old")
    monkeypatch.setattr("viz_core.analysis.roles.importance.importance", stop)
    assert main(["heads", str(folder), "--sentences", str(lines)]) == 130
    assert (folder / NAME).read_text() == "old"
    assert not list(folder.glob("*.partial"))
