"""The arithmetic of each page for all that one may look at: its numbers add up, and belong to the token they are said to be of."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.pages.recorded import recorded
from tests.payloads import unpacked
from viz_core.app.markup import number
from viz_core.checkpoint import Checkpoint
from viz_core.explain import explain

TEXT = "The otter paints the map."


def values(monkeypatch: pytest.MonkeyPatch, page: str, **parameters: str) -> list[Any]:
    """The values that change with what is looked at, part by part."""
    about = unpacked(recorded(monkeypatch, page, text=TEXT, **parameters).parts["arithmetic"])[1]
    return [part["at"] for part in about["parts"]]


def as_number(text: str) -> float:
    return float(text.strip("()").replace(",", ""))


def test_what_a_sublayer_adds_is_of_its_layer_and_token(monkeypatch: pytest.MonkeyPatch, shipped: Checkpoint) -> None:
    ex = explain(shipped, TEXT)
    (added,) = values(monkeypatch, "residual")
    for layer, token in ((0, 1), (2, 4)):
        told, total = added[layer][token], ex.trace.array(f"encoder.{layer}.resid_self_attn")[token]
        assert told["total"] == number(float(total[int(told["dim"]) - 1])) and told["layer"] == str(layer + 1)
        assert told["after"] == number(float(np.linalg.norm(total.astype(np.float64))))
        assert as_number(told["x"]) + as_number(told["brings"]) == pytest.approx(as_number(told["total"]), abs=0.02)


def test_a_looked_up_row_is_the_one_of_its_token(monkeypatch: pytest.MonkeyPatch, shipped: Checkpoint) -> None:
    ex = explain(shipped, TEXT)
    (rows,) = values(monkeypatch, "embeddings", show="lookup", side="target")
    for step, token_id in enumerate(ex.target.ids):
        weight = shipped.model.target_embedding.weight[token_id].detach()
        assert (rows[step]["id"], rows[step]["first"], rows[step]["last"]) == (
            str(token_id),
            number(float(weight[0])),
            number(float(weight[-1])),
        )


def test_of_the_target_a_step_is_about_the_token_that_it_writes(monkeypatch: pytest.MonkeyPatch, shipped: Checkpoint) -> None:
    ex = explain(shipped, TEXT)
    (words,) = values(monkeypatch, "tokens", side="target")
    for step, token in enumerate(ex.output):
        assert (token.word is None) == (words[step]["text"] == "")
        assert token.word is None or str(token.id) in words[step]["ids"]
