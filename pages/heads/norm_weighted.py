"""Norm-weighted attention (Kobayashi et al. 2020): the weights, and beside them the norms of the vectors that they weight."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from viz_core.analysis.attention import norm_weighted, norm_weighted_layer
from viz_core.app.arithmetic import Section, arithmetic_section, show_arithmetic
from viz_core.app.attention import labels
from viz_core.app.cache import cached
from viz_core.app.csv_files import cells
from viz_core.app.page import Page
from viz_core.app.token_maps import Numbers, Stack, say_clickable, token_maps_payload
from viz_core.checkpoint import Checkpoint
from viz_core.edits import heads_out
from viz_core.explain import Explanation
from viz_core.figures.attention import Floats
from viz_core.trace import Doubles, Kind

Which = Literal["this_head", "all_heads"]
OF: dict[str, tuple[str, ...]] = {"this_head": ("layer", "head"), "all_heads": ("layer",)}
"""The view fields that select the maps."""
MOST_HEADS = 4
"""Terms of the sum over all heads that are written out."""
TEXTS = "taken_out", "about_norms", "of_norms", "of_norms_nothing", "of_norms_layer", "same_key", "other_key"


@dataclass(frozen=True, eq=False)
class Norms:
    """One attention of all layers.

    Attributes:
        weights, norms: of each head, and the length of its part, (L, h, Tq, Tk).
        together: the length of what all heads contribute, (L, Tq, Tk).
        mask: (Tq, Tk).
    """

    weights: Floats
    norms: Doubles
    together: Doubles
    mask: npt.NDArray[np.bool_]

    def maps(self, which: str) -> tuple[Floats, Doubles]:
        """Weights and lengths, (L, h, Tq, Tk) or, of all heads, (L, Tq, Tk)."""
        return (self.weights, self.norms) if which == "this_head" else (self.weights.mean(1), self.together)

    def numbers(self, which: str) -> Numbers:
        """The maps to send, NaN where the mask forbids; with all heads, also the longest of their parts, and their sum."""
        maps = zip(("weights", "norms"), self.maps(which), strict=True)
        stacks = {name: Stack(OF[which], np.where(self.mask, values, np.float32(np.nan))) for name, values in maps}
        if which == "all_heads":
            greatest = np.sort(self.norms, axis=1)[:, ::-1][:, : MOST_HEADS + 1]  # one more than is written, if there is one
            stacks |= {"each": Stack(("layer",), greatest), "sum": Stack(("layer",), self.norms.sum(1))}
        return stacks


def norms_of(checkpoint: Checkpoint, explanation: Explanation, kind: Kind) -> Norms:
    """The weights of each layer and head, and the norms of the vectors that they weight."""
    model, trace = checkpoint.model, explanation.trace
    blocks = trace.attentions(kind)

    def of_all_layers(measure: Callable[..., Any]) -> Any:
        return np.stack([measure(model, trace, kind, layer) for layer in range(len(blocks))])

    weights = np.stack([block.weights for block in blocks])
    return Norms(weights, of_all_layers(norm_weighted), of_all_layers(norm_weighted_layer), blocks[0].mask)


def norm_weighted_maps(checkpoint: Checkpoint, explanation: Explanation, kind: Kind, which: Which) -> bytes:
    """Weights on the left, ‖α f(x)‖ on the right."""
    numbers = cached(norms_of, checkpoint, explanation, kind).numbers(which)
    special = 0 if kind == "masked" else explanation.source.ids.index(checkpoint.config.eos_id)  # which is no word
    out = heads_out(explanation.edits, checkpoint.config, kind)
    return token_maps_payload(explanation, kind, numbers, of_all=which == "all_heads", special=special, out=out)


def show_norm_weighted(p: Page, kind: Kind, which: str) -> None:
    """Both maps; the arithmetic of one cell, and where the two disagree in its row."""
    view, sides = p.view, labels(p.view.explanation, kind)
    norms = cached(norms_of, view.checkpoint, view.explanation, kind)
    if not p.known(norms.weights, norms.norms):
        return
    say_clickable(p)
    p.answer(norm_weighted_maps, chosen_by=OF[which], kind=kind, which=which)
    show_arithmetic(
        p, {name: p.texts[name] for name in TEXTS}, figure="norms",
        sections=[Section("taken_out", "[[taken_out]]"), Section("about", "about_norms"), arithmetic_section("[[of]]")],
        heads=view.config.n_heads,
    )  # fmt: skip
    place = (view.layer, view.head) if which == "this_head" else (view.layer,)
    maps = [one[place] for one in norms.maps(which)]
    head = "".join(f"-head{index + 1}" for index in place[1:])
    file, columns = f"norms-{kind}-layer{place[0] + 1}{head}", "query_index query key_index key weight norm"
    attention = p.table("attention_names")[kind]
    p.offer("norms", file, columns, lambda: cells(sides, *maps, where=norms.mask), attention=attention)
    p.show_code("code_norms")
