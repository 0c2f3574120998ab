"""What the browser gets of one head's projection: the recorded numbers, bit for bit, and the stream that they come from."""

from __future__ import annotations

import numpy as np
import pytest

from pages.qkv.compute import ROLES, Role, rivals
from pages.qkv.data import projection_weights, qkv_payload
from tests.payloads import unpacked
from viz_core.app.answers import Refused, at
from viz_core.checkpoint import Checkpoint
from viz_core.explain import explain
from viz_core.trace import BLOCK, Kind

X = {
    ("self", "q"): ("encoder.1.norm_self_attn", 0),
    ("masked", "v"): ("decoder.1.norm_self_attn", 0),
    ("cross", "q"): ("decoder.1.norm_cross_attn", 0),
    ("cross", "v"): ("encoder.memory", 1),
}
"""Kind and role → the site of X in layer 2 of a pre-norm model, and which of the streams that is."""


@pytest.mark.parametrize(("kind", "role"), X)
def test_the_numbers_are_the_recorded_ones_of_this_head(checkpoint: Checkpoint, kind: Kind, role: Role) -> None:
    explained = explain(checkpoint, "The otter </script> \x00 paints.")
    tensors, about = unpacked(qkv_payload(checkpoint.model, explained, kind, role))
    site, stream = X[kind, role]
    trace, (stack, block) = explained.trace, BLOCK[kind]
    assert np.array_equal(tensors["x"][-1], trace.array(site))
    assert len(tensors["x"]) == (1 if site == "encoder.memory" else checkpoint.config.layers(stack))
    for layer in range(checkpoint.config.layers(stack)):
        assert np.array_equal(tensors["y"][layer], trace.array(f"{stack}.{layer}.{block}.{role}"))
    w = unpacked(projection_weights(checkpoint, kind, role, 1, 1))[0]["w"]
    x, b, y = tensors["x"][-1], tensors["b"][1, 1], tensors["y"][1, 1]
    assert np.allclose(x.astype(np.float64) @ w + b, y, atol=1e-5), "W and b are those of layer 2, head 2"
    assert {array.dtype for array in (w, *tensors.values())} == {np.dtype(np.float32)}
    of_decoder = site.startswith("decoder")
    side = explained.target if of_decoder else explained.source
    assert about["tokens"] == [label.replace("\x00", "⟨00⟩") for label in side.labels]
    assert about["walks"] == ("step" if of_decoder else "token")
    sources = about["sources"]
    assert sources["feeds"] == ({"q": 0, "k": 1, "v": 1} if kind == "cross" else dict.fromkeys(ROLES, 0))
    assert sources["feeds"][role] == stream and sources["streams"][stream]["tokens"] == about["tokens"]
    assert [each["stack"] for each in sources["streams"]] == {
        "self": ["encoder"], "masked": ["decoder"], "cross": ["decoder", "encoder"],
    }[kind]  # fmt: skip
    rows, columns = tensors["y"].shape[-2:]
    assert sources["results"][role] == f"{role.upper()}   {rows} × {columns}"


@pytest.mark.parametrize("wrong", ["layer=99&head=0", "layer=0&head=99", "layer=x&head=0", "layer=-1&head=0", "layer=0"])
def test_a_head_that_the_model_lacks_is_refused(wrong: str) -> None:
    with pytest.raises(Refused):
        at(f"/data/projection_weights?model=en-de&kind=cross&role=k&{wrong}")
    assert at("/data/projection_weights?model=en-de&kind=cross&role=k&layer=3&head=7")


@pytest.mark.parametrize("kind", ["self", "masked", "cross"])
def test_the_key_of_each_query_is_one_that_it_may_look_at(checkpoint: Checkpoint, kind: Kind) -> None:
    trace = explain(checkpoint, "The otter paints the map.").trace
    found = rivals(trace, kind)
    for layer, block in enumerate(trace.attentions(kind)):
        scores = block.scores
        for (head, query), key in np.ndenumerate(found.keys[layer]):
            assert found.there[layer, head, query] == scores[head, query, key]
            if kind == "cross" or found.back is None:
                assert key == scores[head, query].argmax() and found.back is None
                continue
            assert found.back[layer, head, query] == scores[head, key, query]
            others = [each for each in range(query if kind == "masked" else len(scores[head])) if each != query]
            most = max((abs(float(scores[head, query, each] - scores[head, each, query])) for each in others), default=None)
            if most is None:
                assert key == query
            else:
                assert key in others and abs(float(scores[head, query, key] - scores[head, key, query])) == pytest.approx(most)
