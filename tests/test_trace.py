"""A trace is a mapping from site to tensor, and can be read at a glance."""

from collections.abc import Mapping

import pytest

from tests.conftest import Traced
from viz_core.errors import TapError
from viz_core.sites import sites
from viz_core.trace import Trace


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
