"""The maps of the heads: every role has a hue, and what is sent of a head are the numbers measured, or those of the pass."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.payloads import unpacked
from viz_core.analysis.roles.importance import importance
from viz_core.analysis.roles.table import NONE, SHARES, read
from viz_core.app.answers import Refused, answer
from viz_core.checkpoint import Checkpoint
from viz_core.explain import explain

TEXT = "The cat is sleeping on the sofa."


def answered(view: str, **parameters: str) -> Any:
    return unpacked(answer(view, {"model": "en-de", **parameters}))


def test_the_roles_and_measures_of_each_head_are_those_stored(shipped: Checkpoint) -> None:
    table, _ = read(Path("checkpoints/en-de"), shipped)
    assert table
    heads = table.kinds["cross"]
    arrays, about = answered("head_roles", kind="cross", count=str(table.count))
    names = [measure["name"] for measure in about["measures"]]
    assert about["count"] == table.count and names == [name for name in SHARES["cross"] if name in heads.measures]
    for layer, head in np.ndindex(4, 8):
        role = heads.roles[layer][head]
        assert arrays["role"][layer, head] == (-1 if role == NONE else names.index(role))
        assert arrays["shares"][:, layer, head].tolist() == [heads.measures[name].values[layer, head] for name in names]
        evidence = heads.evidence[layer][head]
        assert about["examples"][layer][head] == (None if evidence is None else [evidence.text, evidence.weight])


def test_what_is_lost_without_a_head_is_that_of_the_pass_or_stored(shipped: Checkpoint) -> None:
    ablated = importance(shipped.model, explain(shipped, TEXT))
    arrays, about = answered("head_ablation", text=TEXT, kind="self", of="sentence", count="0")
    assert arrays["drops"].shape == (4, 8) and np.allclose(arrays["drops"], ablated.drops("self"))
    assert about["measures"] == [] and (arrays["role"] == -1).all()
    assert about["whole"] == pytest.approx(float(ablated.log_probs.sum())) and about["count"] == len(ablated.log_probs)
    table, _ = read(Path("checkpoints/en-de"), shipped)
    assert table and table.importance and table.importance.bleu
    for of, drops in (("many", table.importance.log_prob), ("bleu", table.importance.bleu.drops)):
        assert (
            answered("head_ablation", text=TEXT, kind="masked", of=of, count="384")[0]["drops"].tolist() == drops["masked"].tolist()
        )


def test_what_was_not_measured_is_refused() -> None:
    for view, more in (("head_roles", {}), ("head_ablation", {"text": TEXT, "of": "many"})):
        with pytest.raises(Refused):
            answer(view, {"model": "en-de-tiny@300", "kind": "self", "count": "384", **more})
