"""The zip is loaded by the very lines that are shown with it, and holds the pass bit for bit."""

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import safetensors.torch
import torch

from viz_core.checkpoint import Checkpoint
from viz_core.cli import main
from viz_core.edits import Edits
from viz_core.explain import explain
from viz_core.sites import sites
from viz_core.trace_file import snippet, zipped

TEXT = "A baker </script>\x00 hides “two” umbrellas 你."


def test_the_snippet_loads_the_zip_bit_for_bit(
    checkpoint: Checkpoint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    ex = explain(checkpoint, TEXT)
    Path("mine.zip").write_bytes(zipped(checkpoint, ex, "mine.zip"))
    lines = snippet("mine.zip")
    assert len(lines.splitlines()) == 5
    assert lines in zipfile.ZipFile("mine.zip").read("README.md").decode()
    found: dict[str, Any] = {}
    exec(lines, found)
    about, tensors = found["about"], found["tensors"]
    assert set(tensors) == set(ex.trace.tensors)
    for name, tensor in ex.trace.tensors.items():
        mine = tensor.numpy()
        assert (tensors[name].dtype, tensors[name].shape) == (mine.dtype, mine.shape)
        assert tensors[name].tobytes() == np.ascontiguousarray(mine).tobytes(), name
    assert (about["source"]["text"], about["text"]) == (TEXT, ex.text)
    assert capsys.readouterr().out.startswith(f"{ex.text} (1, {len(ex.source)}, 32)")


def test_the_json_says_what_stands_where(checkpoint: Checkpoint) -> None:
    ex = explain(checkpoint, TEXT, "Ein Bäcker.")
    content = zipped(checkpoint, ex)
    assert content == zipped(checkpoint, ex)
    about = json.loads(zipfile.ZipFile(io.BytesIO(content)).read("trace.json"))
    assert [token["id"] for token in about["target"]["tokens"]] == ex.target.ids
    assert [word["text"] for word in about["source"]["words"]] == [word.text for word in ex.source.words]
    for shown, step in zip(about["steps"], ex.steps, strict=True):
        assert (shown["read"]["id"], shown["chosen"]["id"], shown["expected"]["id"]) == (
            step.read.id,
            step.chosen.id,
            step.expected.id,
        )
        assert np.float32(shown["expected"]["log_prob"]) == step.log_probs[step.expected.id]
    for name, site in sites(checkpoint.config).items():
        assert (tuple(about["sites"][name]["axes"]), about["sites"][name]["formula"]) == (site.axes, site.formula)
    assert about["config"]["n_heads"] == 4


def test_the_command_line_writes_the_same_zip(checkpoint_folder: Path, checkpoint: Checkpoint, tmp_path: Path) -> None:
    out = tmp_path / "trace.ZIP"  # the suffix says what is written
    assert main(["trace", "--checkpoint", str(checkpoint_folder), "--text", "A baker.", "--out", str(out)]) == 0
    assert out.read_bytes() == zipped(checkpoint, explain(checkpoint, "A baker."), out.name)


def test_an_edited_pass_says_so(checkpoint: Checkpoint) -> None:
    edits = Edits(no_scale=True, no_causal_mask=True, no_residual=True)
    ex = explain(checkpoint, TEXT, edits=edits)
    file = zipfile.ZipFile(io.BytesIO(zipped(checkpoint, ex)))
    assert json.loads(file.read("trace.json"))["edits"] == edits.link() == "no_scale~no_causal_mask~no_residual"
    tensors = safetensors.torch.load(file.read("trace.safetensors"))
    assert all(torch.equal(tensor, ex.trace[site]) for site, tensor in tensors.items())
