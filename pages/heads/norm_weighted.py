"""Norm-weighted attention (Kobayashi et al. 2020): the weights, and beside them the norms of the vectors that they weight."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from pages.heads.cells import Followed, cell_to_follow, followed, show_maps
from viz_core.analysis.attention import column_share, norm_weighted, norm_weighted_layer, reaches_output
from viz_core.app.arithmetic import Section, Varying, arithmetic_section, show_arithmetic
from viz_core.app.attention import labels, terms
from viz_core.app.cache import cached
from viz_core.app.csv_files import array_csv
from viz_core.app.markup import Raw
from viz_core.app.page import Page
from viz_core.app.view_options import unwatched
from viz_core.checkpoint import Checkpoint
from viz_core.explain import Explanation
from viz_core.figures.attention import Floats
from viz_core.figures.base import percent
from viz_core.figures.followed_maps import FollowedPanel
from viz_core.trace import Doubles, Kind

OF: dict[str, tuple[str, ...]] = {"this_head": ("layer", "head"), "all_heads": ("layer",)}
"""What of the view the maps are of."""


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


def norms_of(checkpoint: Checkpoint, explanation: Explanation, kind: Kind) -> Norms:
    """The weights of each layer and head, and the norms of the vectors that they weight."""
    model, trace = checkpoint.model, explanation.trace
    blocks = trace.attentions(kind)

    def each(measure: Callable[..., Any]) -> Any:
        return np.stack([measure(model, trace, kind, layer) for layer in range(len(blocks))])

    weights = np.stack([block.weights for block in blocks])
    return Norms(weights, each(norm_weighted), each(norm_weighted_layer), blocks[0].mask, each(reaches_output))


def show_norm_weighted(p: Page, kind: Kind, which: str) -> None:
    """Weights on the left, ‖α f(x)‖ on the right; the arithmetic of one cell, and where the two disagree in its row."""
    view, (queries, keys) = p.view, labels(p, kind)
    found = cached(norms_of, view.checkpoint, view.explanation, kind)
    at = followed(
        p, OF[which], (len(queries), len(keys)), known=all(np.isfinite(each).all() for each in (found.weights, found.norms))
    )
    weights, lengths = (at.of(each) for each in found.maps(which))
    if not p.known(weights, lengths):
        return
    cell = cell_to_follow(p, kind, (queries, keys), weights, at, of=("norm_weighted", kind, which))
    panels = [
        FollowedPanel(
            np.where(found.mask, weights, np.nan), OF[which], p.table("weight_labels")[which], p.texts["hover_weight"],
            p.texts["hover_masked"], limit=1.0, end="100",
        ),
        FollowedPanel(
            np.where(found.mask, lengths, np.nan), OF[which], p.table("norm_labels")[which], p.texts["hover_norm"],
            p.texts["hover_masked"], "brief",
        ),
    ]  # fmt: skip
    attention = p.table("attention_names")[kind]
    titles = [
        [p.table("norm_titles", attention=attention, layer=layer + 1, head=head + 1)[which] for head in at.heads]
        for layer in at.layers
    ]
    show_maps(p, "norms", panels, (queries, keys), titles, kind, at, cell)
    _write(p, kind, which, found, (weights, lengths), (queries, keys), at, cell)
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
    p: Page, kind: Kind, which: str, found: Norms, values: tuple[Floats, Floats], sides: tuple[Sequence[str], Sequence[str]],
    at: Followed, cell: Any,
) -> None:  # fmt: skip
    """What the figure shows in words, and the arithmetic of the framed cell, in all states."""
    weights, lengths = values
    queries, keys = sides
    explanation = p.view.explanation
    special = 0 if kind == "masked" else explanation.source.ids.index(p.view.config.eos_id)  # which is no word

    def of_map(index: tuple[int, ...]) -> dict[str, Any]:
        layer, heads = at.layers[index[0]], [at.heads[i] for i in index[1:]]
        reaches = found.reaches[layer, heads[0]] if heads else found.reaches[layer].all()
        return {
            "taken_out": Raw("" if reaches else "taken_out"),
            "weight_share": percent(column_share(weights[index], special)),
            "norm_share": percent(column_share(lengths[index], special)),
        }  # fmt: skip

    def of_cell(index: tuple[int, ...], query: int, key: int) -> dict[str, Any]:
        weight, length = (each[index][query] for each in values)
        by_weight, by_norm = int(weight.argmax()), int(length.argmax())
        disagree = by_weight != by_norm
        told: dict[str, Any] = {
            "key": keys[key], "weight": float(weight[key]), "moved": float(length[key]),
            "most_weight": percent(float(weight[by_weight])), "by_norm": keys[by_norm], "length": float(length[by_norm]),
        }  # fmt: skip
        if disagree:
            told |= {"most": Raw("other_key"), "by_weight": keys[by_weight], "instead": float(length[by_weight])}
        if which == "all_heads":
            each = found.norms[at.layers[index[0]], :, query, key]
            parts = terms(((one, None) for one in sorted(each.tolist(), reverse=True)), 4)
            return told | {"parts": parts, "sum": float(each.sum())}
        if not told["weight"]:
            return told | {"of": Raw("of_norms_nothing")}
        return told | {"long": told["moved"] / told["weight"]}

    formulas = ("of_norms_layer",) if which == "all_heads" else ("of_norms", "of_norms_nothing")
    templates = {
        f"{formula}_{most}": p.texts[formula].replace("[[most]]", p.texts[most])
        for formula in formulas
        for most in ("same_key", "other_key")
    }
    show_arithmetic(
        p, {"about_norms": p.texts["about_norms"], "taken_out": p.texts["taken_out"], **templates},
        Varying(OF[which], at.each(OF[which], of_map)), *at.of_cells(OF[which], queries, weights, cell, of_cell),
        sections=[
            Section("taken_out", "[[taken_out]]"), Section("about", "about_norms"), arithmetic_section("[[of]]_[[most]]"),
        ],
        special=keys[special], heads=found.norms.shape[1], of=Raw(formulas[0]), most=Raw("same_key"),
    )  # fmt: skip
