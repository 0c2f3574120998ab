"""The downloads of the two views beside the stages have the numbers that their figures show."""

from __future__ import annotations

import numpy as np
import pytest

from tests.pages.recorded import recorded
from tests.payloads import unpacked


def test_masks_of_a_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = recorded(monkeypatch, "masked_attention", text="The cat is sleeping.", case="batch")
    hidden = np.asarray(shown.figures["mask"].data[0].z)
    cells = [row for row in shown.tables["batch"] if row["head"] == "1"]
    assert np.array_equal(hidden.reshape(-1), [1 - float(row["allowed"]) for row in cells])
    assert all(int(row["allowed"]) == int(row["causal"]) * int(row["padding"]) for row in cells)


def test_weights_with_and_without_the_mask(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "The cat is sleeping."
    shown = recorded(monkeypatch, "masked_attention", text=text, case="peek", step="3", layer="2", head="3")
    sides = unpacked(shown.parts["side_by_side"])[0]
    for side, name in (("left", "weight"), ("right", "unmasked_weight")):
        tensors, about = unpacked(sides[side].tobytes())
        drawn = tensors["weights"][1, 2]
        assert not about["grows"]
        assert np.allclose(drawn.reshape(-1), shown.column("peek", name))
        assert np.allclose(drawn.sum(-1), 1)
        assert (np.triu(drawn, 1).max() > 0.01) == (side == "right")


def test_the_sum_over_later_positions_is_that_of_each_step_layer_and_head(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = recorded(monkeypatch, "masked_attention", text="The cat is sleeping.", case="peek")
    weights = unpacked(unpacked(shown.parts["side_by_side"])[0]["right"].tobytes())[0]["weights"]
    later = unpacked(shown.parts["arithmetic"])[1]["parts"][1]
    assert later["by"] == ["layer", "head", "step"]
    for layer, head, step in ((0, 0, 0), (1, 2, 3), (3, 7, len(weights[0, 0]) - 1)):
        said = later["at"][layer][head][step]["sum"].replace("−", "-").replace(r"\cdot 10^{", "e").rstrip("}")
        assert float(said) == pytest.approx(weights[layer, head, step, step + 1 :].sum(), rel=1e-2, abs=1e-6), said
