"""The layer of the sidebar and the call of the walk: whichever of them is changed takes the other along."""

from __future__ import annotations

import re
from collections.abc import Sequence

from viz_core.ui import state

LAYER = re.compile(r"(encoder|decoder)\.(\d+)\.")


def remember(names: Sequence[str], call: int, layer: int) -> None:
    """What this run shows: the names of all calls, and call and layer, from 0."""
    state.change(_walked=(names, call, layer))


def settle(page: str) -> None:
    """At the start of a run, before the controls are drawn. What a link asks for stands as it is."""
    walked = state.get("_walked")
    if walked is None or page != "code" or state.arrived() or state.get("code_show") != "walk":
        return
    names, call, layer = walked
    now, asked = state.get("code_call"), state.get("layer")
    if now != call and type(now) is int and 0 <= now < len(names):
        if found := LAYER.match(names[now]):
            state.change(layer=int(found[2]) + 1)
    elif type(asked) is int and asked != layer + 1:
        same = LAYER.sub(rf"\g<1>.{asked - 1}.", names[call])
        if same in names:
            state.change(code_call=names.index(same))
