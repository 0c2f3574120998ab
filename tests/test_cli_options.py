"""No option is ignored or changed in silence: a command refuses what it cannot do, or says what it does instead."""

import shutil
import socket
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.conftest import MakeModel, made
from viz_core import checkpoint as checkpoints
from viz_core.analysis.roles.table import NAME as HEADS
from viz_core.cli import main
from viz_core.decoding.copying import NAME as GATE
from viz_core.tokenizer import Tokenizer

Pairs = Sequence[tuple[str, str]]
TRAIN = ["train", "--pairs", "{pairs}", "--valid", "{pairs}", "--out", "{tmp}/run"]
SMALL = ["--d-model=16", "--n-heads=2", "--n-layers=1", "--d-ff=24", "--max-len=48", "--vocab-size=480", "--epochs=1", "--warmup=1"]


@pytest.fixture
def places(pairs: Pairs, checkpoint_folder: Path, make_model: MakeModel, tokenizer: Tokenizer, tmp_path: Path) -> dict[str, Path]:
    """Files and folders that a test may change, by their names in its options."""
    masked = made(make_model(decoder="masked"), tokenizer)
    checkpoints.save(tmp_path / "masked", masked)
    (tmp_path / "pairs.tsv").write_text("".join(f"{source}\t{target}\n" for source, target in pairs))
    (tmp_path / "one.tsv").write_text("My aunt sleeps.\tMeine Tante schläft.\n")
    (tmp_path / "long.tsv").write_text("My aunt sleeps.\tMeine Tante.\n" + "umbrellas " * 60 + "\tRegenschirme\n")
    (tmp_path / "blank.tsv").write_text("\n \n")
    (tmp_path / "latin.txt").write_text("Gr\xfc\xdfe", "latin-1")
    (tmp_path / "names.tsv").write_text("Mary sleeps.\tMary schläft.\n" * 9)
    (tmp_path / "two.txt").write_text("My aunt sleeps.\nA baker!\n")
    (tmp_path / "three.txt").write_text("My aunt sleeps.\nA baker!\nThe otter!\n")
    files = {path.stem: path for path in tmp_path.iterdir()}
    return {**files, "tiny": Path(shutil.copytree(checkpoint_folder, tmp_path / "tiny")), "tmp": tmp_path}


def run(command: Sequence[str], places: dict[str, Path]) -> int:
    return main([word.format(**places) for word in command])


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (["translate", "--checkpoint", "{tmp}/none"], "none: no such checkpoint folder"),
        (["evaluate", "--checkpoint", "{tmp}", "--pairs", "{pairs}"], "config.json: missing in"),
        (["evaluate", "--checkpoint", "{tiny}", "--pairs", "{tmp}/none.tsv"], "none.tsv: no such file"),
        (["evaluate", "--checkpoint", "{tiny}", "--pairs", "{one}", "--out", "{pairs}/x"], "cannot write"),
        (["trace", "--checkpoint", "{tiny}", "--text", " ", "--out", "{tmp}/x.zip"], "no word in this text"),
        ([*TRAIN, "--pairs", "{tmp}/none.tsv"], "none.tsv: no such file"),
        ([*TRAIN, "--resume"], "nothing to resume from"),
        ([*TRAIN, "--out", "{tiny}"], "already holds config.json"),
        (["heads", "{tiny}", "--sentences", "{blank}"], "blank.tsv: the file contains no words"),
        (["heads", "{tiny}", "--references", "{two}"], "two.txt: 2 lines, expected 384, one for each sentence"),
        (["translate", "--checkpoint", "{tiny}", "--iterations", "4"], "--iterations is for a masked decoder"),
        (["translate", "--checkpoint", "{tiny}", "--length-penalty", "1"], "--length-penalty is only for beam search"),
        (["translate", "--checkpoint", "{masked}", "--beam", "4"], "has no beam search; it takes --iterations"),
        ([*TRAIN, *SMALL, "--vocab-size", "100"], "vocab_size is 100, expected at least 36"),
        ([*TRAIN, *SMALL, "--learning-rate", "inf"], "learning_rate is inf, expected more than 0, at most 1e+30"),
        ([*TRAIN, *SMALL, "--d-ff", "10000000"], "more than the 8.0 GB here; choose a smaller --d-model"),
        ([*TRAIN, *SMALL, "--n-layers", "100000"], "n_layers is 100000, expected at most 1,000"),
        ([*TRAIN, *SMALL, "--alphabet", "94"], "alphabet is 94, expected at least 95"),
        ([*TRAIN, *SMALL, "--out", "x" * 300], "File name too long"),
        ([*TRAIN, *SMALL, "--valid", "{blank}"], "blank.tsv: all of its lines are blank"),
        (["copy-gate", "{tiny}", "--pairs", "{names}", "--learning-rate", "1e38"], "learning_rate is 1e+38, expected more than 0"),
        (
            ["copy-gate", "{tiny}", "--pairs", "{names}", "--named", "0", "--plain", "0"],
            "plain is 0, expected at least 0, and at least 1",
        ),
        (["trace", "--checkpoint", "{tiny}", "--text", "I", "--target", " ", "--out", "{tmp}/t.zip"], "--target has no word"),
        (["heads", "{tiny}", "--roles-only", "--references", "{two}"], "--references is for the importance of the heads"),
    ],
)
def test_a_mistake_and_what_would_be_ignored_are_refused_in_one_line(
    command: list[str], said: str, places: dict[str, Path], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("viz_core.training.checks._memory", lambda device: 8e9)
    assert run(command, places) == 1
    last = capsys.readouterr().err.splitlines()[-1]
    assert last.startswith("error: ")
    assert said in last
    assert not (places["tmp"] / "run" / "config.json").exists()
    assert not (places["tiny"] / GATE).exists() and not (places["tiny"] / HEADS).exists()


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (["--vocab-size=9000"], " tokens, fewer than --vocab-size 9,000"),
        (["--max-len=14"], "left out, longer than 13 tokens (--max-len)"),
        (["--tokens=12"], "longer than --tokens 12, each in a batch of its own"),
        (["--keep=0,9000"], "--keep 9000: no snapshot, as steps 0 to"),
    ],
)
def test_training_says_what_a_setting_does_not_do(
    command: list[str], said: str, places: dict[str, Path], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("viz_core.training.loop.Trainer.run", lambda self: None)
    assert run([*TRAIN, *SMALL, *command], places) == 0
    assert any(line.startswith("note: ") and said in line for line in capsys.readouterr().err.splitlines())


def test_sentences_that_are_cut_are_counted(places: dict[str, Path], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["evaluate", "--checkpoint", "{tiny}", "--pairs", "{long}"], places) == 0
    assert ": only the first 39 tokens of 1 of 2 sentences are read" in capsys.readouterr().err


def refused(command: list[str], path: Path, places: dict[str, Path], capsys: pytest.CaptureFixture[str]) -> str:
    """The message; the file is as before."""
    before = path.read_bytes()
    capsys.readouterr()
    assert run(command, places) == 1
    assert path.read_bytes() == before
    return capsys.readouterr().err.splitlines()[-1]


def test_a_table_of_heads_is_not_replaced_by_one_that_says_less(
    places: dict[str, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    path = places["tiny"] / HEADS
    assert run(["heads", "{tiny}", "--roles-only", "--sentences", "{two}"], places) == 0
    assert "note: roles measured on 2 sentences may be chance" in capsys.readouterr().err
    assert run(["heads", "{tiny}", "--sentences", "{three}", "--references", "{three}"], places) == 0  # more: needs no force
    two = ["heads", "{tiny}", "--sentences", "{two}", "--references", "{two}"]
    message = refused(two, path, places, capsys)
    assert "heads.json would be replaced, and with it roles measured on 3 sentences (now 2); --force does so" in message
    message = refused(["heads", "{tiny}", "--roles-only", "--sentences", "{three}"], path, places, capsys)
    assert "and with it the importance of the heads; --force" in message
    assert run(["heads", "{tiny}", "--roles-only", "--sentences", "{two}", "--force"], places) == 0
    path.write_text("damaged")
    assert run(["heads", "{tiny}", "--roles-only", "--sentences", "{two}"], places) == 0


@pytest.mark.parametrize(
    ("option", "said"),
    [
        (["--port", "70000"], "--port is 70000, expected 1 to 65535"),
        (["--address", "bad host"], "--address is 'bad host'"),
        (["--base-path", 'a"b\nbind :80'], "--base-path is"),
    ],
)
def test_a_place_for_the_app_that_cannot_be_is_refused(option: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["app", *option]) == 1
    assert said in capsys.readouterr().err


def test_a_port_that_is_taken_is_named_before_anything_starts(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        assert main(["app", "--port", str(taken.getsockname()[1])]) == 1
    assert "cannot listen on localhost" in capsys.readouterr().err
