"""The layer of the sidebar and the call of the walk: whichever of them is changed takes the other along."""

from __future__ import annotations

import re
from collections.abc import Sequence

from viz_core.app import session

LAYER = re.compile(r"(encoder|decoder)\.(\d+)\.")


def remember(names: Sequence[str], call: int, layer: int) -> None:
    """What this run shows: the names of all calls, and call and layer, from 0."""
    session.change(_walked=(names, call, layer))


def sync() -> None:
    """At the start of a run, before the controls are drawn. What a link asks for stands as it is."""
    walked = session.get("_walked")
    if walked is None or session.arrived() or session.get("code_show") != "walk":
        return
    names, call, layer = walked
    now, asked = session.get("code_call"), session.get("layer")
    if now != call and type(now) is int and 0 <= now < len(names):
        if found := LAYER.match(names[now]):
            session.change(layer=int(found[2]) + 1)
    elif type(asked) is int and asked != layer + 1:
        same = LAYER.sub(rf"\g<1>.{asked - 1}.", names[call])
        if same in names:
            session.change(code_call=names.index(same))
