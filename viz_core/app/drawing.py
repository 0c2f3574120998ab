"""The drawings of a page, also for its HTML file: browser-side parts, plotly figures, HTML."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import streamlit as st

from viz_core.app import answers, components, player, session
from viz_core.app.plot import plot_payload
from viz_core.app.view_options import Stage, View
from viz_core.figures.figure import Figure
from viz_core.figures.palette import Palette
from viz_core.params import WALKED
from viz_core.texts import texts

Least = Literal["narrow", "medium", "wide"]
LEAST_PX: Mapping[Least, int] = {"narrow": 0, "medium": 640, "wide": 860}
"""Least width of a figure in px: in less room it scrolls inside itself, so that its labels do not overlap."""


@dataclass(frozen=True)
class Drawn:
    """One drawing of a page.

    Attributes:
        kind: a browser-side part, a plotly figure, or HTML.
        name: of the part; the key of the figure.
        content: for a part the address of its data, else the payload or the HTML.
        alone: whether it has the stage to itself.
        by: for a part, layer and head if it depends on them.
        more: addresses of further data that the browser may fetch on demand.
    """

    kind: Literal["part", "figure", "html"]
    name: str
    content: bytes | str
    alone: bool = False
    by: tuple[str, ...] = ()
    more: tuple[str, ...] = ()

    def payload(self) -> bytes:
        """Its data, for a file without a server."""
        if isinstance(self.content, bytes):
            return self.content
        return answers.answer_at(self.content) if self.kind == "part" else self.content.encode()


class Drawing:
    """The drawings of one page in this run. A `Page` adds its texts and controls."""

    def __init__(self, name: str, view: View, palette: Palette, stage: Stage = None, *, cell_of_step: bool = False) -> None:
        self.name, self.view, self.palette, self.stage, self.cell_of_step = name, view, palette, stage, cell_of_step
        self.drawn: list[Drawn] = []
        """Everything drawn so far, in order, for an HTML file."""
        self.off_stage: set[str] = set()
        """Keys of the parts for which lecture mode has no room."""
        self._below: Any = None

    @cached_property
    def start(self) -> dict[str, Any]:
        """The initial state of the browser's store, here and in the page's HTML file."""
        return player.start(self.name, self.view, self.palette, self.stage, cell_of_step=self.cell_of_step)

    @property
    def mounted(self) -> set[str]:
        """The browser-side parts drawn so far, such as `attention_view`."""
        return {drawn.name for drawn in self.drawn if drawn.kind == "part"}

    def answer(
        self,
        view: Callable[..., bytes],
        *,
        part: str = "",
        key: str | None = None,
        also: Sequence[tuple[Callable[..., bytes], Mapping[str, Any]]] = (),
        in_page: bool = False,
        on_wall: bool = True,
        off_stage: bool = False,
        chosen_by: tuple[str, ...] = (),
        **values: Any,
    ) -> None:
        """Draws a browser-side part, which fetches its data by address; the page's HTML file shows it, too.

        Args:
            part: its name, if other than the view's.
            key: another key is another part, mounted anew.
            also: further views that it may fetch, with the values of their parameters; a file contains them all.
            in_page: whether it has formulas, to which the page's own style sheets apply.
            on_wall: False for a part below the figure, which lecture mode and files leave out.
            off_stage: whether lecture mode has no room for it.
            chosen_by: layer and head, if it depends on them.
            values: of the view's own parameters.
        """
        address, name = self.address(view, **values), part or view.__name__
        if off_stage:
            self.off_stage.add(key or name)
            if session.lecture():
                return
        if on_wall:
            more = tuple(self.address(other, **its) for other, its in also)
            self.drawn.append(Drawn("part", name, address, by=chosen_by, more=more))
        components.connect(name, {"address": address}, key=key, in_page=in_page)

    def address(self, view: Callable[..., bytes], **values: Any) -> str:
        """The address of a view of this sentence. values: of the view's own parameters."""
        return self.view.sentence.address(view, self.view.checkpoint.digest, **values)

    def mount_below(self, name: str, payload: bytes) -> None:
        """Mounts a browser-side part below the figure, such as the arithmetic, which follows the browser's view."""
        self._below = self._below or st.container(key="_below")
        with self._below:
            components.show(name, payload, f"{self.name}_{name}", in_page=True)

    def mount(self, name: str, payload: bytes) -> None:
        """Draws a browser-side part with data that no address has; the page's HTML file shows it, too."""
        self.drawn.append(Drawn("part", name, payload))
        components.show(name, payload)

    def html(self, drawn: str) -> None:
        """Draws HTML, such as a table, that has already escaped typed text."""
        self.drawn.append(Drawn("html", "", drawn))
        st.html(drawn)
        session.record_part("html", f"html_{len(self.drawn)}", {"html": drawn}, True)

    def show(self, figure: Figure, key: str = "figure", *, alone: bool = True, least: Least = "medium") -> None:
        """Draws a plotly figure that does not change.

        Args:
            alone: False if it shares the stage: it then keeps its own height.
            least: the width below which it scrolls.
        """
        region = texts("figures.hovers")["figure"]
        payload = plot_payload(figure, alone=alone, least=LEAST_PX[least], region=region)
        self.drawn.append(Drawn("figure", key, payload, alone))
        components.show("plot", payload, f"{self.name}_{key}", in_page=True)

    @cached_property
    def counts(self) -> Mapping[str, int]:
        """The number of values of each walked view field."""
        limits = self.start["limits"]
        return {name: limits[f"{name}s"] for name in WALKED}
