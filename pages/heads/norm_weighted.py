"""Norm-weighted attention (Kobayashi et al. 2020): the weights, and beside them the norms of the vectors that they weight."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from viz_core.analysis.attention import column_share, norm_weighted, norm_weighted_layer, reaches_output
from viz_core.app.answers import Index
from viz_core.app.arithmetic import Section, Varying, Worked, arithmetic_section, show_arithmetic
from viz_core.app.attention import labels
from viz_core.app.cache import cached
from viz_core.app.csv_files import array_csv
from viz_core.app.followed_maps import Followed, Numbers, Stack, followed, numbers_at, on_display, show_maps
from viz_core.app.markup import Raw
from viz_core.app.page import Page
from viz_core.app.view_options import unwatched
from viz_core.browser.pack import pack
from viz_core.checkpoint import Checkpoint
from viz_core.explain import Explanation
from viz_core.figures.attention import Floats
from viz_core.figures.base import percent
from viz_core.figures.followed_maps import FollowedPanel
from viz_core.trace import Doubles, Kind

OF: dict[str, tuple[str, ...]] = {"this_head": ("layer", "head"), "all_heads": ("layer",)}
"""What of the view the maps are of."""
MOST_HEADS = 4
"""Terms of the sum over all heads that are written out."""
WORKED: Mapping[str, Worked] = {
    "key": Worked("label"),
    "weight": Worked("number", ("weights",)),
    "moved": Worked("number", ("norms",)),
    "long": Worked("ratio", ("norms", "weights")),
    "most_weight": Worked("percent", ("weights",), at="weights"),
    "length": Worked("number", ("norms",), at="norms"),
    "instead": Worked("number", ("norms",), at="weights"),
    "by_weight": Worked("label", at="weights"),
    "by_norm": Worked("label", at="norms"),
    "most": Worked("same", ("weights", "norms"), texts=("same_key", "other_key")),
}
"""The values of one cell, and of what is greatest in its row."""
OF_ONE: Mapping[str, Worked] = {"of": Worked("either", ("weights",), texts=("of_norms", "of_norms_nothing"))}
OF_ALL: Mapping[str, Worked] = {"parts": Worked("terms", ("each",), most=MOST_HEADS), "sum": Worked("number", ("sum",))}
"""Of one head, and of all heads together."""


@dataclass(frozen=True, eq=False)
class Norms:
    """One attention of all layers.

    Attributes:
        weights, norms: of each head, and the length of its part, (L, h, Tq, Tk).
        together: the length of what all heads contribute, (L, Tq, Tk).
        mask: (Tq, Tk).   reaches: whether a head's output reaches that of the block, (L, h).
    """

    weights: Floats
    norms: Doubles
    together: Doubles
    mask: npt.NDArray[np.bool_]
    reaches: npt.NDArray[np.bool_]

    def maps(self, which: str) -> tuple[Floats, Doubles]:
        """Weights and lengths, (L, h, Tq, Tk) or, of all heads, (L, Tq, Tk)."""
        return (self.weights, self.norms) if which == "this_head" else (self.weights.mean(1), self.together)

    def numbers(self, which: str) -> Numbers:
        """What is sent of it, NaN where the mask forbids; of all heads, also the longest of their parts, and the sum of all."""
        maps = zip(("weights", "norms"), self.maps(which), strict=True)
        found = {name: Stack(OF[which], np.where(self.mask, values, np.float32(np.nan))) for name, values in maps}
        if which == "all_heads":
            greatest = np.sort(self.norms, axis=1)[:, ::-1][:, : MOST_HEADS + 1]  # one more than is written, if there is one
            found |= {"each": Stack(("layer",), greatest), "sum": Stack(("layer",), self.norms.sum(1))}
        return found


def norms_of(checkpoint: Checkpoint, explanation: Explanation, kind: Kind) -> Norms:
    """The weights of each layer and head, and the norms of the vectors that they weight."""
    model, trace = checkpoint.model, explanation.trace
    blocks = trace.attentions(kind)

    def each(measure: Callable[..., Any]) -> Any:
        return np.stack([measure(model, trace, kind, layer) for layer in range(len(blocks))])

    weights = np.stack([block.weights for block in blocks])
    return Norms(weights, each(norm_weighted), each(norm_weighted_layer), blocks[0].mask, each(reaches_output))


def norms_of_head(checkpoint: Checkpoint, explanation: Explanation, kind: Kind, layer: Index, head: Index) -> bytes:
    """The numbers of one head."""
    return pack(numbers_at(cached(norms_of, checkpoint, explanation, kind).numbers("this_head"), (layer, head)), {})


def norms_of_layer(checkpoint: Checkpoint, explanation: Explanation, kind: Kind, layer: Index) -> bytes:
    """The numbers of all heads of a layer together."""
    return pack(numbers_at(cached(norms_of, checkpoint, explanation, kind).numbers("all_heads"), (layer,)), {})


def show_norm_weighted(p: Page, kind: Kind, which: str) -> None:
    """Weights on the left, ‖α f(x)‖ on the right; the arithmetic of one cell, and where the two disagree in its row."""
    view, (queries, keys) = p.view, labels(p, kind)
    found = cached(norms_of, view.checkpoint, view.explanation, kind)
    numbers, by = found.numbers(which), OF[which]
    known = all(np.isfinite(each).all() for each in (found.weights, found.norms))
    at = (
        followed(p, by, numbers, norms_of_layer if which == "all_heads" else norms_of_head, kind=kind)
        if known
        else on_display(p, by)
    )
    if not (known or p.known(*(each[at.place] for each in found.maps(which)))):
        return
    panels = [
        FollowedPanel(
            "weights", p.table("weight_labels")[which], p.texts["hover_weight"], p.texts["hover_masked"], limit=1.0, end="100"
        ),
        FollowedPanel("norms", p.table("norm_labels")[which], p.texts["hover_norm"], p.texts["hover_masked"], "brief"),
    ]  # fmt: skip
    attention = p.table("attention_names")[kind]
    titles = [
        [p.table("norm_titles", attention=attention, layer=layer + 1, head=head + 1)[which] for head in at.heads]
        for layer in at.layers
    ]
    axes = p.table("query_axes")[kind], p.table("key_axes")[kind]
    show_maps(p, "norms", panels, (queries, keys), numbers, at, titles=titles, axes=axes, of_step=kind != "self")
    _write(p, kind, which, found, (queries, keys), at)
    with unwatched():
        place = (view.layer, view.head) if which == "this_head" else (view.layer,)
        shown = [each[place] for each in found.maps(which)]
    head = "".join(f"-head{each + 1}" for each in place[1:])
    p.offer(
        "norms", f"norms-{kind}-layer{place[0] + 1}{head}",
        partial(array_csv, "query_index query key_index key weight norm", (queries, keys), *shown, where=found.mask),
        attention=attention,
    )  # fmt: skip
    p.show_code("code_norms")


def _write(
    p: Page, kind: Kind, which: str, found: Norms, sides: tuple[Sequence[str], Sequence[str]], at: Followed
) -> None:  # fmt: skip
    """What the figure shows in words, and the arithmetic of the framed cell, in all states."""
    queries, keys = sides
    special = 0 if kind == "masked" else p.view.explanation.source.ids.index(p.view.config.eos_id)  # which is no word
    weights, lengths = found.maps(which)

    def of_map(*place: int) -> dict[str, Any]:
        return {
            "taken_out": Raw("" if found.reaches[place].all() else "taken_out"),
            "weight_share": percent(column_share(weights[place], special)),
            "norm_share": percent(column_share(lengths[place], special)),
        }  # fmt: skip

    formulas, more = (("of_norms_layer",), OF_ALL) if which == "all_heads" else (("of_norms", "of_norms_nothing"), OF_ONE)
    templates = {
        f"{formula}_{most}": p.texts[formula].replace("[[most]]", p.texts[most])
        for formula in formulas
        for most in ("same_key", "other_key")
    }
    show_arithmetic(
        p, {"about_norms": p.texts["about_norms"], "taken_out": p.texts["taken_out"], **templates},
        Varying(OF[which], at.each(OF[which], of_map)), Varying(("row",), [{"query": each} for each in queries]),
        worked={**WORKED, **more}, columns=keys,
        sections=[
            Section("taken_out", "[[taken_out]]"), Section("about", "about_norms"), arithmetic_section("[[of]]_[[most]]"),
        ],
        special=keys[special], heads=found.norms.shape[1], of=Raw(formulas[0]),
    )  # fmt: skip
