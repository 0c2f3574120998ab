"""A trace is a mapping from site to tensor, can be read at a glance, and is loaded from its zip bit for bit."""

import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.conftest import Traced
from viz_core.checkpoint import Checkpoint
from viz_core.errors import TapError
from viz_core.explain import explain
from viz_core.sites import sites
from viz_core.trace import Trace
from viz_core.trace_file import snippet, zipped


def test_it_is_a_mapping_of_every_site_in_order(traced: Traced) -> None:
    model, trace = traced
    assert isinstance(trace, Mapping)
    assert list(trace) == list(trace.keys()) == list(sites(model.config))
    assert len(trace) == len(trace.values()) == len(trace.items()) > 50
    assert "encoder.0.self_attn.q" in trace and "encoder.0.self_attn.qq" not in trace
    assert all(a is b for a, b in zip(trace.values(), trace.tensors.values(), strict=True))
    assert trace.get("nothing") is None
    assert {trace: "key"}[trace] == "key" and trace != Trace(trace.config, trace.tensors)


def test_an_unknown_site_names_the_nearest(traced: Traced) -> None:
    with pytest.raises(TapError, match=r"'encoder\.0\.self_attn\.qq' was not recorded; the nearest is 'encoder\.0\.self_attn\.q'"):
        traced[1]["encoder.0.self_attn.qq"]


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
