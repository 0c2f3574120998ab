"""The controls of this page: what links, talks and “try this” may set."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from viz_core.app import session
from viz_core.app.controls import in_figure
from viz_core.app.page import Page
from viz_core.params import Choice, Item, OneOf, Slider

WIDTH = 112
LAYER = re.compile(r"(encoder|decoder)\.(\d+)\.")
"""The beginning of the name of a call that belongs to a layer."""

SHOW = Choice("show", ("walk", "cost", "variants", "untrained"), labelled=False)
CALL = Item("call")
BY = Choice("by", ("by_length", "by_layers", "by_width", "by_heads"))
OF = Choice("of", ("of_sentence", "of_numbers"), labelled=False)
SEED = Slider("seed", width=220)
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


@dataclass(frozen=True)
class LayeredCalls:
    """The calls of a pass by name; the browser shows the same call in every layer that is chosen.

    Attributes:
        names: of all calls, in their order.
        layers: how many can be chosen. A call in a layer beyond them, which only one stack has, stays where it is.
    """

    names: Sequence[str]
    layers: int

    def layer(self, call: int) -> int | None:
        """The layer of a call, from 0; None where it does not follow the chosen one."""
        match = LAYER.match(self.names[call])
        return int(match[2]) if match and int(match[2]) < self.layers else None

    def at(self, call: int, layer: int) -> int:
        """The same call in another layer."""
        if self.layer(call) is None:
            return call
        return self.names.index(LAYER.sub(rf"\g<1>.{layer}.", self.names[call]))


def sync() -> None:
    """The layer of the call that was clicked becomes the chosen one."""
    layered: LayeredCalls | None = session.get("_layered_calls")
    call, clicked = session.get("code_call"), "code_call" in session.touched() and "layer" not in session.touched()
    if layered is None or session.arrived() or not clicked or type(call) is not int or not 0 <= call < len(layered.names):
        return
    if (layer := layered.layer(call)) is not None:
        session.change(layer=layer + 1)


def pick_call(p: Page, layered: LayeredCalls) -> int:
    """The call that is shown, as it is in the first layer: the browser changes the layer alone.

    A link may name that of another layer: where it names no layer, this one is shown.
    """
    # at first the division by √d_k, which everyone knows
    first = next(i for i, name in enumerate(layered.names) if name.endswith("self_attn.scaled"))
    with in_figure():
        picked = CALL.draw(p, layered.names, first)
    if session.arrived() and session.asked("layer") is None and (layer := layered.layer(picked)):
        session.visit({**session.link(), "layer": str(layer + 1)})
        st.rerun()
    call = layered.at(picked, 0)
    session.change(_layered_calls=layered, code_call=call)
    session.keep(CALL.name, CALL.write(call), CALL.write(first))
    return call
