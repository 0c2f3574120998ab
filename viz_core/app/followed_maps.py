"""Maps of queries × keys with one framed cell, of all layers and heads at once: what is sent of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import streamlit as st

from viz_core.app import session
from viz_core.app.answers import Between, beyond
from viz_core.app.page import Page
from viz_core.app.plot import plot_payload
from viz_core.app.view_options import unwatched
from viz_core.figures.attention import Floats
from viz_core.figures.figure import Figure
from viz_core.figures.followed_maps import FollowedPanel, followed_maps
from viz_core.texts import fill, texts

MOST = 100_000
"""Bytes of numbers that are sent at once, such as those of all heads of 16 tokens; of more, each layer or head is a file."""


@dataclass(frozen=True, eq=False)
class Stack:
    """Numbers of all layers, or of all heads of all layers.

    Attributes:
        by: `layer`, or `layer` and `head`, or nothing.
        values: (…, n, m), in front an axis for each name of `by`.
    """

    by: tuple[str, ...]
    values: Floats


Numbers = Mapping[str, Stack]


@dataclass(frozen=True)
class Followed:
    """Of which layers and heads the page has titles and texts: of all, or only of those on display.

    place: of the numbers that are sent, where not all are sent at once.
    address: where those of one layer or head are, then, with places for both.
    """

    layers: Sequence[int]
    heads: Sequence[int]
    place: tuple[int, ...] = ()
    address: str = ""

    def each(self, names: Sequence[str], make: Callable[..., Any]) -> Any:
        """What `make` makes of each layer, or of each head of each layer, in lists one inside the other."""
        if len(names) == 1:
            return [make(layer) for layer in self.layers]
        return [[make(layer, head) for head in self.heads] for layer in self.layers]


def followed(p: Page, names: Sequence[str], numbers: Numbers, view: Callable[..., bytes], **values: Any) -> Followed:
    """What is sent of a map, and how.

    Args:
        names: `layer`, or `layer` and `head`: what the map is of.
        view: answers with `numbers_at` a place, which are its parameters `layer` and `head`; values: of its others.
    """
    layers, heads = range(p.counts["layer"]), range(p.counts["head"])
    if sum(stack.values.nbytes for stack in numbers.values()) <= MOST:
        return Followed(layers, heads)
    with unwatched():
        place = (p.view.layer, p.view.head)[: len(names)]
    open_place = "".join(f"&{name}=[[{name}]]" for name in ("layer", "head")[: len(names)])
    return Followed(layers, heads, place, p.address(view, **values) + open_place)


def on_display(p: Page, names: Sequence[str]) -> Followed:
    """Only what is on display: another layer or head is a run."""
    layer, heads = p.view.layer, [p.view.head] if "head" in names else range(p.counts["head"])
    return Followed([layer], heads, (layer, *heads)[: len(names)])


def numbers_at(numbers: Numbers, place: tuple[int, ...]) -> dict[str, Floats]:
    """Those of one layer, or of one head.

    Raises:
        Refused: there is no such place.
    """
    for stack in numbers.values():
        for name, index, count in zip(stack.by, place, stack.values.shape, strict=False):
            if index >= count:
                raise beyond(name, index, Between(0, count - 1))
    return {name: stack.values[place[: len(stack.by)]] for name, stack in numbers.items()}


def show_maps(
    p: Page,
    key: str,
    panels: Sequence[FollowedPanel],
    sides: tuple[Sequence[str], Sequence[str]],
    numbers: Numbers,
    at: Followed,
    *,
    titles: Any,
    axes: tuple[str, str],
    of_step: bool,
    greatest: str = "",
    overlay: Callable[[Figure], None] | None = None,
) -> None:
    """The maps, in which the browser frames the picked cell.

    Args:
        numbers: what the maps are of, and what the arithmetic of a cell is made of.
        titles, axes, greatest: of `followed_maps`.
        of_step: whether the row is a step of the decoder, at which alone a cell is then picked.
        overlay: draws over the first map.
    """
    figure, maps = followed_maps(
        panels, *sides, titles=titles, axes=axes, of_step=of_step, greatest=greatest, pressed=bool(session.get("_lecture")),
        palette=p.palette,
    )  # fmt: skip
    if overlay:
        overlay(figure)
    every = {name: stack.values for name, stack in numbers.items()}
    by = {name: stack.by for name, stack in numbers.items()}

    def whole(**about: Any) -> bytes:
        return plot_payload(figure, (), every, maps={**maps, "numbers": by}, **about)

    def of_place(**about: Any) -> bytes:
        place = dict(zip(("layer", "head"), at.place, strict=False))
        there = {"numbers": dict.fromkeys(by, ()), "file": at.address, "place": place}
        return plot_payload(figure, (), numbers_at(numbers, at.place), maps={**maps, **there}, **about)

    with p.controls():
        st.markdown(texts("app.frame")["click_cell"])
    several = {"layer": len(at.layers), "head": len(at.heads), "step": len(sides[0]) if of_step else 1}
    followed_by = tuple(name for name, count in several.items() if count > 1)
    places = product(at.layers, at.heads) if len(at.place) == 2 else ((layer,) for layer in at.layers)
    more = [fill(at.address, dict(zip(("layer", "head"), each, strict=False))) for each in places if at.address]
    p.draw(of_place if at.place else whole, followed_by, key, cells=True, least="wide", more=tuple(more))
