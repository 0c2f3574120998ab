"""heads.json, measured by the command, comes back as it was written; what is damaged, foreign or hostile is refused by name."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from viz_core.analysis.roles import HeadTable, measured, sentences
from viz_core.analysis.roles.rule import assign
from viz_core.analysis.roles.table import NAME, NONE, SHARES, Bleu, Evidence, HeadImportance, Heads, read, to_json
from viz_core.checkpoint import Checkpoint
from viz_core.cli import main
from viz_core.errors import CheckpointError
from viz_core.explain import explain
from viz_core.texts import fill, texts

ROOT = Path(__file__).parents[2] / "checkpoints"
Change = Callable[[dict[str, Any]], object]


@pytest.fixture(scope="module")
def table(checkpoint: Checkpoint) -> HeadTable:
    """The small model's heads, with made-up roles and numbers of what they are worth: untrained, it has none."""
    found = measured(checkpoint, ["My aunt hides the well-worn map.", "Don't hurry, the otter paints!", "A baker"])
    roles, cells = (("first", NONE, "self", NONE),) * 2, ((Evidence("A baker", 1, 0, 0.25), None) * 2,) * 2
    kinds = {kind: Heads(heads.measures, roles, cells) for kind, heads in found.kinds.items()}
    drops = {kind: np.linspace(-1, 2, 8).reshape(2, 4) for kind in SHARES}
    return HeadTable(found.digest, found.count, kinds, HeadImportance(drops, 3, Bleu(31.5, drops, 3)))


@pytest.fixture
def folder(checkpoint_folder: Path, table: HeadTable, tmp_path: Path) -> Path:
    """A copy of the checkpoint with its heads, which may be damaged."""
    copy = Path(shutil.copytree(checkpoint_folder, tmp_path / "tiny"))
    (copy / NAME).write_bytes(to_json(table))
    return copy


def refused(folder: Path, checkpoint: Checkpoint) -> str:
    with pytest.raises(CheckpointError) as error:
        read(folder, checkpoint)
    return str(error.value)


def test_what_was_written_comes_back(folder: Path, checkpoint: Checkpoint, table: HeadTable) -> None:
    found, notices = read(folder, checkpoint)
    assert found
    assert notices == ()
    assert (found.digest, found.count) == (checkpoint.digest, 3)
    for kind, heads in table.kinds.items():
        assert found.kinds[kind].roles == heads.roles
        assert found.kinds[kind].evidence == heads.evidence
        assert found.kinds[kind].measures.keys() == heads.measures.keys()
        for name, measure in heads.measures.items():
            other = found.kinds[kind].measures[name]
            assert np.allclose(other.values, measure.values, atol=1e-6)
            assert other.uniform == pytest.approx(measure.uniform, abs=1e-6)
            assert other.count == measure.count
            assert (other.by_distance is None) == (measure.by_distance is None)
    assert table.importance
    assert found.importance
    assert found.importance.bleu
    assert np.allclose(found.importance.log_prob["cross"], table.importance.log_prob["cross"])
    assert (found.importance.bleu.whole, found.importance.bleu.count) == (31.5, 3)


def test_heads_of_other_weights_are_ignored_with_a_notice(folder: Path, checkpoint: Checkpoint) -> None:
    change(folder, lambda content: content.update(sha256="0" * 64))
    found, (notice,) = read(folder, checkpoint)
    assert found is None
    assert checkpoint.name in fill(texts("app.notices")[notice.code], notice.values)


def change(folder: Path, how: Change) -> None:
    content = json.loads((folder / NAME).read_text())
    how(content)
    (folder / NAME).write_text(json.dumps(content))


def first_evidence(content: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = content["attention"]["self"]["evidence"][0][0]
    return found


def previous(content: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = content["attention"]["self"]["measures"]["previous"]
    return found


@pytest.mark.parametrize(
    ("how", "said"),
    [
        (lambda c: c.update(version=3), "version 3, this program reads version 2"),
        (lambda c: c["attention"]["self"].update(roles=[["self"] * 4], evidence=[[{}] * 4]), "there are no 2 rows of 4 roles"),
        (
            lambda c: c["attention"]["self"].update(evidence=[[None] * 4] * 2),
            "'first' is no role of such a head, or has no evidence",
        ),
        (lambda c: previous(c).update(values=[[10**400] * 4] * 2), "expected (2, 4) numbers"),
        (lambda c: first_evidence(c).update(query=40), "query is 40, expected a whole number from 0 to 39"),
        (lambda c: first_evidence(c).update(text="\ud800"), "expected a text of up to"),
        (lambda c: c["importance"].update(log_prob={}), "self is missing"),
    ],
)
def test_a_forged_field_is_named(folder: Path, checkpoint: Checkpoint, how: Change, said: str) -> None:
    change(folder, how)
    message = refused(folder, checkpoint)
    assert message.startswith("heads.json")
    assert said in message
    assert len(message) < 300


def test_the_shipped_heads_belong_to_the_shipped_weights_and_to_our_sentences(shipped: Checkpoint) -> None:
    found, notices = read(ROOT / "en-de", shipped)
    assert found
    assert notices == ()
    ours = sentences("en")
    assert found.count == len(ours)
    for kind, heads in found.kinds.items():
        assert heads.roles == assign(heads.measures, SHARES[kind], (4, 8))
        assert all(cell is None or cell.text in ours for row in heads.evidence for cell in row)
    assert found.importance
    assert found.importance.count == len(ours)
    assert found.importance.bleu


def test_shipped_evidence_is_what_the_shipped_model_does(shipped: Checkpoint) -> None:
    found, _ = read(ROOT / "en-de", shipped)
    assert found
    for kind, heads in found.kinds.items():
        layer, head, cell = next((n, m, c) for n, row in enumerate(heads.evidence) for m, c in enumerate(row) if c)
        weights = explain(shipped, cell.text).trace.attention(kind, layer).weights
        assert weights[head, cell.query, cell.key] == pytest.approx(cell.weight, abs=1e-4)


LINES = b"\xef\xbb\xbfMy aunt hides two umbrellas.\r\n\n  \nA baker!\nbad \xef\xbf\xbd byte"


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
