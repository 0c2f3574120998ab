"""The zip is loaded by the very lines that are shown with it, and holds the pass bit for bit."""

import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from viz_core.checkpoint import Checkpoint
from viz_core.explain import explain
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
