"""The controls of this page: what links, talks and “try this” may set."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from viz_core.app import session
from viz_core.app.controls import in_figure
from viz_core.app.page import Page
from viz_core.params import Choice, Item, OneOf, Slider

WIDTH = 112
LAYER = re.compile(r"(encoder|decoder)\.(\d+)\.")
"""Start of the name of a call that belongs to a layer."""

SHOW = Choice("show", ("walk", "cost", "variants", "untrained"), labelled=False)
CALL = Item("call")
BY = Choice("by", ("by_length", "by_layers", "by_width", "by_heads"))
OF = Choice("of", ("of_sentence", "of_numbers"), labelled=False)
SEED = Slider("seed", width=220)
SEEDS = 20
VARIANT = OneOf[str]("variant", width=330)

# A configuration to dial in; the options include the values of every preset.
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
DIALS = (D_MODEL, HEADS, D_FF, LAYERS, VOCABULARY, SHARED, NORM, SOURCE_LENGTH, TARGET_LENGTH)


@dataclass(frozen=True)
class LayeredCalls:
    """The calls of a pass by name; the browser shows the same call in whichever layer is chosen.

    Attributes:
        names: of all calls, in order.
        layers: how many can be chosen. A call in a deeper layer, which only one stack has, stays where it is.
    """

    names: Sequence[str]
    layers: int

    def layer(self, call: int) -> int | None:
        """The layer of a call, from 0; None if it does not follow the chosen layer."""
        match = LAYER.match(self.names[call])
        return int(match[2]) if match and int(match[2]) < self.layers else None

    def at(self, call: int, layer: int) -> int:
        """The same call in another layer."""
        if self.layer(call) is None:
            return call
        return self.names.index(LAYER.sub(rf"\g<1>.{layer}.", self.names[call]))

    def lead(self, call: int) -> dict[str, str]:
        """The parameters that a picked call stands for."""
        layer = self.layer(call)
        return {CALL.name: CALL.write(self.at(call, 0))} | ({} if layer is None else {"layer": str(layer + 1)})


def pick_call(p: Page, layered: LayeredCalls) -> int:
    """Index of the picked call in the first layer: the browser switches layers by itself.

    A call of another layer, clicked or named by a link, makes that layer the chosen one, unless the link also names a layer.
    """
    # starts at the division by √d_k, the best-known step
    first = next(i for i, name in enumerate(layered.names) if name.endswith("self_attn.scaled"))
    with in_figure():
        picked = CALL.draw(p, layered.names, first)
    session.record_picks(CALL.name, {CALL.write(call): layered.lead(call) for call in range(len(layered.names))})
    call, layer = layered.at(picked, 0), layered.layer(picked)
    is_other = layer is not None and layer != p.view.layer
    if is_other and session.is_new(CALL.name) and not (session.is_link() and session.parameter("layer")):
        session.lead(**layered.lead(picked))
    session.keep(CALL.name, CALL.write(call), CALL.write(first))
    return call


def part_of(name: str) -> str:
    """The part of the model that a site belongs to: `encoder.0`, or the beginning of its name, such as `source`."""
    if match := LAYER.match(name):
        return match[0].removesuffix(".")
    return name if name in ("encoder.memory", "decoder.states") else name.partition(".")[0]


def block_of(name: str) -> str:
    """The sub-layer of a call within its part; empty if it has none."""
    match = re.search(r"(self_attn|cross_attn|ffn)", name)
    return match[1] if match else ""
