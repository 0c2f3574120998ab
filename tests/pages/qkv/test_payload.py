"""What the browser gets of one head's projection: the recorded numbers, bit for bit, and the stream that they come from."""

from __future__ import annotations

import numpy as np
import pytest

from pages.qkv.compute import ROLES, Role
from pages.qkv.payload import qkv_payload
from tests.payloads import unpacked
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
    tensors, about = unpacked(qkv_payload(checkpoint.model, explained, kind, role, 1, 1))
    site, stream = X[kind, role]
    trace, (stack, block) = explained.trace, BLOCK[kind]
    assert np.array_equal(tensors["x"], trace.array(site))
    assert np.array_equal(tensors["y"], trace.array(f"{stack}.1.{block}.{role}")[1])
    assert {array.dtype for array in tensors.values()} == {np.dtype(np.float32)}
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
    rows, columns = tensors["y"].shape
    assert sources["results"][role] == f"{role.upper()}   {rows} × {columns}"
