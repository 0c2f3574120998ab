"""The downloads of the two views beside the stages have the numbers that their figures show."""

from __future__ import annotations

import numpy as np
import pytest

from tests.pages.recorded import recorded


def test_masks_of_a_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = recorded(monkeypatch, "masked_attention", text="The cat is sleeping.", case="batch")
    hidden = np.asarray(shown.figures["mask"].data[0].z)
    cells = [row for row in shown.tables["batch"] if row["head"] == "1"]
    assert np.array_equal(hidden.reshape(-1), [1 - float(row["allowed"]) for row in cells])
    assert all(int(row["allowed"]) == int(row["causal"]) * int(row["padding"]) for row in cells)


def test_weights_with_and_without_the_mask(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = recorded(monkeypatch, "masked_attention", text="The cat is sleeping.", case="peek", step="3", layer="2", head="3")
    drawn = next(np.asarray(trace.z, dtype=float) for trace in shown.figures["open"].data if trace.type == "heatmap")
    assert np.allclose(drawn.reshape(-1), shown.column("peek", "unmasked_weight"))
    row = [float(cell["weight"]) for cell in shown.tables["peek"] if cell["query_index"] == "3"]
    bars = [np.asarray(trace.y, dtype=float) for trace in shown.figures["peek"].data if trace.type == "bar"]
    assert any(np.allclose(row, each) for each in bars)
