"""The command line does its work, and reports what is wrong in one line instead of a traceback."""

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from safetensors import safe_open

from viz_core.app.talk_file import command as talk_command
from viz_core.checkpoint import Checkpoint
from viz_core.cli import main, using
from viz_core.cli.using import one_line
from viz_core.decoding import beam_search, max_steps, translate
from viz_core.explain import explain
from viz_core.sites import sites

Translate = Callable[[bytes], tuple[list[str], str]]


@pytest.fixture
def through(checkpoint_folder: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]) -> Translate:
    """Bytes in, lines and messages of `translate` out."""

    def run(content: bytes) -> tuple[list[str], str]:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
        assert main(["translate", "--checkpoint", str(checkpoint_folder)]) == 0
        out, err = capfdbinary.readouterr()
        assert out.endswith(b"\n") or not out
        return out.decode().split("\n")[:-1], err.decode()

    return run


def test_translate_gives_line_for_line_what_translate_gives(through: Translate, checkpoint: Checkpoint) -> None:
    texts = ["My aunt hides two umbrellas.", "", "A baker!", "  "]
    out, err = through("\n".join(texts).encode())
    assert out == [one_line(answer) for answer in translate(checkpoint, texts)]
    assert out[1] == out[3] == ""
    assert err == ""


@pytest.mark.parametrize(
    ("content", "count"),
    [
        (b"", 0), (b"\n", 1),  (b"a\n\nb\n", 3), (b"a\r\nb\r\n", 2),
        ("a\u2028b\u2029c\x85d\x0be\x0cf\x1cg\n".encode(), 1), (b"\xff\xfea\0\n\0b\0", 2),
    ],
    ids=repr,
)  # fmt: skip
def test_translate_writes_as_many_lines_as_it_reads(through: Translate, content: bytes, count: int) -> None:
    assert len(through(content)[0]) == count


def test_translate_takes_more_lines_than_it_holds_at_once(through: Translate, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("viz_core.cli.translate.CHUNK", 4)
    whole, _ = through(b"".join(b"a baker carries map %d\n" % n for n in range(10)))
    single = [through(b"a baker carries map %d\n" % n)[0][0] for n in range(10)]
    assert whole == single


def test_translate_names_a_line_that_it_cuts(through: Translate, monkeypatch: pytest.MonkeyPatch) -> None:
    out, err = through(b"a\n" + b"umbrellas " * 60 + b"\nb\n")
    assert len(out) == 3
    assert err == "line 2: only the first 39 of 60 tokens are translated\n"
    monkeypatch.setattr(using, "MAX_BYTES", 100)
    out, err = through(b"a\n" + b"umbrellas " * 600 + b"\nb\n")
    assert len(out) == 3
    assert err.startswith("line 2: only the first ")


def test_evaluate_prints_bleu_with_its_signature(
    checkpoint_folder: Path, checkpoint: Checkpoint, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sources = ["A baker hides two umbrellas.", "My aunt carries the well-worn map."]
    answers = [one_line(answer) for answer in translate(checkpoint, sources)]
    path, out = tmp_path / "pairs.tsv", tmp_path / "deep" / "out.txt"
    path.write_text(f"{sources[0]}\tFalsch.\n{sources[0]}\t{answers[0]} .\n{sources[1]}\t{answers[1]} .\n")
    assert main(["evaluate", "--checkpoint", str(checkpoint_folder), "--pairs", str(path), "--out", str(out)]) == 0
    bleu, signature, counts = capsys.readouterr().out.splitlines()
    assert bleu.startswith("BLEU = ")
    assert "nrefs:var" in signature
    assert "tok:13a" in signature
    assert counts.startswith("2 sentences, 3 references; ")
    assert counts.endswith(" sentences/s")
    assert out.read_text().splitlines() == answers


def test_trace_writes_every_site_with_its_tokens(checkpoint_folder: Path, checkpoint: Checkpoint, tmp_path: Path) -> None:
    text, out = "My aunt </script> 你", tmp_path / "trace.safetensors"
    assert main(["trace", "--checkpoint", str(checkpoint_folder), "--text", text, "--out", str(out)]) == 0
    explanation = explain(checkpoint, text)
    with safe_open(out, framework="pt") as file:
        header = json.loads(file.metadata()["trace"])
        assert set(file.keys()) == set(sites(checkpoint.config)) == set(header["sites"])
        for name, tensor in explanation.trace.tensors.items():
            assert file.get_tensor(name).equal(tensor), name
    assert [token["text"] for token in header["source"]["tokens"]] == [token.text for token in explanation.source.tokens]
    assert [token["id"] for token in header["target"]["tokens"]] == explanation.target.ids
    assert [token["id"] for token in header["output"]] == [token.id for token in explanation.output]
    assert (header["text"], header["source"]["text"]) == (explanation.text, text)


@pytest.mark.parametrize(
    ("command", "names", "said"),
    [
        (
            ["trace", "--text", "a"],
            ["x", "x.npz", "x.pt", "x.safetensors.gz", ".zip"],
            "that ends in .safetensors or .zip",
        ),
        (["talk", "twelve-steps"], ["x", "x.pptx", "x.html.zip", "x.png"], "that ends in .html or .htm or .pdf"),
        (["train", "--pairs", "none", "--valid", "none"], ["x.pt", "x.safetensors", "x.zip"], "but a folder is written"),
    ],
)
def test_a_name_that_says_another_format_is_refused_before_anything_is_done(
    command: list[str], names: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in names:
        assert main([*command, "--out", str(tmp_path / name)], [talk_command]) == 1
        error = capsys.readouterr().err
        assert error.startswith(f"error: --out is {tmp_path / name}, ") and said in error
    assert not any(tmp_path.iterdir())


def test_evaluate_searches_with_a_beam(
    checkpoint_folder: Path, checkpoint: Checkpoint, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = "My aunt carries the well-worn map."
    ids = torch.tensor([checkpoint.config.framed(checkpoint.encode(source, "source").ids)])
    best = beam_search(checkpoint.model, ids, 4, max_steps(checkpoint.config, ids.size(1)), length_penalty=1.0)[0][0]
    wanted = one_line(checkpoint.tokenizer.decode(best.tokens))
    path, out = tmp_path / "pairs.tsv", tmp_path / "out.txt"
    path.write_text(f"{source}\tFalsch.\n")
    how = ["--checkpoint", str(checkpoint_folder), "--beam", "4", "--length-penalty", "1"]
    assert main(["evaluate", *how, "--pairs", str(path), "--out", str(out), "--tokenize", "none"]) == 0
    assert "tok:none" in capsys.readouterr().out
    assert out.read_text() == f"{wanted}\n"
