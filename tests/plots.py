"""What the browser draws of a page's figures."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from copy import deepcopy
from typing import Any

import numpy as np
from streamlit.testing.v1 import AppTest

from tests.payloads import unpacked


def plots(app: AppTest, **view: int) -> list[dict[str, Any]]:
    """The figures of a page, in order, as they are where the browser is; what is not named is 0."""
    found = [each.proto for each in app.get("bidi_component") if each.proto.component_name == "viz_core_plot"]
    return [figure_of(proto.bytes, view) for proto in found]


def figure_of(payload: bytes, view: Mapping[str, int]) -> dict[str, Any]:
    """A figure as plotly gets it: `data` and `layout`."""
    about = unpacked(payload)[1]
    figure = deepcopy(about["figure"])
    for group in about["states"]:
        changes = group["at"]
        for name in group["by"]:
            changes = changes[view.get(name, 0)]
        for *path, last, value in changes:
            inner = figure
            for each in path:
                inner = inner[each]
            inner[last] = value
    return dict(_arrays(figure))


def _arrays(value: Any) -> Any:
    if isinstance(value, dict) and "bdata" in value:
        shape = [int(each) for each in value.get("shape", "-1").split(",")]
        return np.frombuffer(base64.b64decode(value["bdata"]), value["dtype"]).reshape(shape)
    if isinstance(value, dict):
        return {name: _arrays(each) for name, each in value.items()}
    return [_arrays(each) for each in value] if isinstance(value, list) else value
