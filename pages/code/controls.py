"""The controls of this page: what links, talks and “try this” may set."""

from __future__ import annotations

import re
from collections.abc import Sequence

from viz_core.app import session
from viz_core.app.controls import Choice, Item, OneOf, Slider

WIDTH = 112
LAYER = re.compile(r"(encoder|decoder)\.(\d+)\.")
"""The beginning of the name of a call that belongs to a layer."""

SHOW = Choice("show", ("walk", "cost", "variants", "untrained"), labelled=False)
CALL = Item("call")
BY = Choice("by", ("by_length", "by_layers", "by_width", "by_heads"))
OF = Choice("of", ("of_sentence", "of_numbers"), labelled=False)
SEED = Slider("seed", width=190)
SEEDS = 20
VARIANT = OneOf[str]("variant", width=330)

# A configuration to dial; the values of a preset are among those on offer.
PRESET = OneOf[str]("preset")
D_MODEL = OneOf[int]("d_model", width=WIDTH)
HEADS = OneOf[int]("heads", width=WIDTH)
D_FF = OneOf[int]("d_ff", width=WIDTH)
LAYERS = OneOf[int]("layers", width=WIDTH)
VOCABULARY = OneOf[int]("vocabulary", width=WIDTH)
SHARED = OneOf("shared", ("yes", "no"), width=WIDTH)
NORM = OneOf("norm", ("pre", "post"), width=WIDTH)
SOURCE_LENGTH = OneOf[int]("source_length", width=WIDTH)
TARGET_LENGTH = OneOf[int]("target_length", width=WIDTH)


def remember(names: Sequence[str], call: int, layer: int) -> None:
    """What this run shows: the names of all calls, and call and layer, from 0."""
    session.change(_walked=(names, call, layer))


def sync() -> None:
    """The layer of the top bar and the call: whichever was changed moves the other. What a link asks for stays as it is."""
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
