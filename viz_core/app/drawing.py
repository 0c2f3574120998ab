"""What a page draws, and keeps for its HTML file: browser-side parts, figures of plotly's, tables."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, Literal

import streamlit as st

from viz_core.app import answers, components, player
from viz_core.app.cache import computed_once, key_of
from viz_core.app.plot import plot_payload
from viz_core.app.view_options import Stage, View
from viz_core.browser.pack import pack
from viz_core.figures.figure import Figure
from viz_core.figures.palette import Palette
from viz_core.params import WALKED
from viz_core.texts import texts

Least = Literal["narrow", "medium", "wide"]
LEAST_PX: Mapping[Least, int] = {"narrow": 0, "medium": 640, "wide": 860}
"""How narrow a figure may become before it scrolls inside itself, in px, or its labels would lie on one another."""
CELL = re.compile(r"(?<=</t[dh]>)|(?=<table)")
"""Where a table is cut: what many of its states share, such as its style sheet and most of its cells, is sent once."""


@dataclass(frozen=True)
class Drawn:
    """Something that a page has drawn.

    Attributes:
        kind: part, figure of plotly's, tables of which one is seen, or HTML that stays.
        name: of the part; the key of the figure or tables.
        content: of a part the address of what it shows; of others the payload, or the HTML.
        alone: whether nothing stands on the stage with it.
        by: of a figure or tables, what of the view they have all states of; of a part, layer and head if they choose what is seen.
        more: the addresses of all that its browser may fetch once it needs it.
    """

    kind: Literal["part", "figure", "tables", "html"]
    name: str
    content: bytes | str
    alone: bool = False
    by: tuple[str, ...] = ()
    more: tuple[str, ...] = ()

    def payload(self) -> bytes:
        """All that it shows, which a file without a server holds."""
        if isinstance(self.content, bytes):
            return self.content
        return answers.answer_at(self.content) if self.kind == "part" else self.content.encode()


class Drawing:
    """What one page draws in this run. A `Page` has its texts and controls as well."""

    def __init__(self, name: str, view: View, palette: Palette, stage: Stage = None, *, cell_of_step: bool = False) -> None:
        self.name, self.view, self.palette, self.stage, self.cell_of_step = name, view, palette, stage, cell_of_step
        self.drawn: list[Drawn] = []
        """All that it has drawn so far, in order: an HTML file shows it again."""
        self.clickable: dict[str, int] = {}
        """Its own controls that a click into a figure may set: what index 0 of a click stands for in the address."""
        self._below: Any = None

    @cached_property
    def start(self) -> dict[str, Any]:
        """What the browser's store starts with, here and in the page's HTML file."""
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
        on_wall: bool = True,
        chosen_by: tuple[str, ...] = (),
        **values: Any,
    ) -> None:
        """A browser-side part, which fetches by address what it shows, and which the page's HTML file shows as well.

        Args:
            part: its name, where that is not the view's.   key: another key is another part, mounted anew.
            also: further views that it may fetch, each with the values of its own parameters: a file has them all.
            on_wall: False where it stands below the figure, and neither the wall nor a file shows it.
            chosen_by: layer and head, where they choose what is seen.
            values: of the view's own parameters.
        """
        address = self.address(view, **values)
        if on_wall:
            more = tuple(self.address(each, **its) for each, its in also)
            self.drawn.append(Drawn("part", part or view.__name__, address, by=chosen_by, more=more))
        components.connect(part or view.__name__, {"address": address}, key=key)

    def address(self, view: Callable[..., bytes], **values: Any) -> str:
        """Where the browser finds a view of this sentence. values: of its own parameters."""
        return self.view.sentence.address(view, self.view.checkpoint.digest, **values)

    def mount_below(self, name: str, payload: bytes) -> None:
        """A browser-side part with what stands below the figure, such as the arithmetic, and follows what the browser shows."""
        self._below = self._below or st.container(key="_below")
        with self._below:
            components.show(name, payload, f"{self.name}_{name}", in_page=True)

    def html(self, drawn: str) -> None:
        """HTML made by a figure, such as a table; it escapes what was typed for itself."""
        self.drawn.append(Drawn("html", "", drawn))
        st.html(drawn)

    def show(self, figure: Figure, key: str = "figure", **options: Any) -> None:
        """A figure of plotly's that stands still. options: of `show_each`."""
        self.show_each(lambda: figure, key=key, **options)

    def show_each(
        self,
        make: Callable[..., Figure],
        *by: tuple[str, ...],
        key: str = "figure",
        of: tuple[Any, ...] | None = None,
        sentence: bool = True,
        clicks: str | tuple[str, ...] = (),
        alone: bool = True,
        least: Least = "medium",
    ) -> None:
        """A figure in each state that the browser may show, so that no step asks for another run.

        Args:
            make: called with the names of all groups, counted from 0.
            by: groups of names such as ("layer", "head"), each with all its combinations. What changes with one group must be
                other properties of the figure than what changes with another.
            of: what it is made of besides the sentence, such as the values of controls: it is then made once, and kept. Without it,
                it is made in each run.
            sentence: False where it is made of the model alone: it is then the same for all sentences.
            clicks: what a click on a cell changes to what it hands back: this name of the view, or this control of the page, an
                `Item` or a `Slider`; or two of them.
            alone: False where something else stands on the stage with it: it then keeps its own height.
            least: how narrow it may become before it scrolls.
        """
        first = dict.fromkeys((name for group in by for name in group), 0)
        handed = [(name, self.clickable.get(name)) for name in (clicks if isinstance(clicks, tuple) else (clicks,))]
        about = {"clicks": handed, "alone": alone, "least": LEAST_PX[least], "region": texts("figures.hovers")["figure"]}

        def made() -> bytes:
            states = {group: self.each(lambda **at: make(**first | at), *group) for group in by}
            return plot_payload(make(**first), states, **about)

        payload = self._kept(made, of, sentence, key, by, *about.values())
        self.drawn.append(Drawn("figure", key, payload, alone, by=tuple(first)))
        components.show("plot", payload, f"{self.name}_{key}", in_page=True)

    def each(self, make: Callable[..., Any], *names: str) -> Any:
        """What is made for each value of these names of the view, counted from 0: for each name a list, one inside the other."""
        if not names:
            return make()
        name, *rest = names
        return [self.each(partial(make, **{name: at}), *rest) for at in range(self.counts[name])]

    def _kept(self, make: Callable[[], bytes], of: tuple[Any, ...] | None, sentence: bool, *what: Any) -> bytes:
        """What `make` gives, made once. of, sentence: of `show_each`; what: of all that a page draws, this one."""
        if of is None:
            return make()
        made_of = self.view.checkpoint, self.view.explanation if sentence else None, self.palette, of
        return computed_once(key_of(Drawing, (self.name, *what, *made_of)), make)

    def html_each(
        self,
        make: Callable[..., str],
        *by: str,
        key: str = "table",
        of: tuple[Any, ...] | None = None,
        sentence: bool = True,
        alone: bool = False,
    ) -> None:
        """HTML made by a figure, such as a table, in each state that the browser may show; it escapes what was typed for itself.

        Args:
            make: called with these names of the view, counted from 0.
            of, sentence: of `show_each`.
            alone: whether it is the picture that lecture mode shows.
        """

        def made() -> bytes:
            pieces: dict[str, int] = {}
            tables: dict[tuple[int, ...], int] = {}

            def number(**place: int) -> int:
                cells = tuple(pieces.setdefault(piece, len(pieces)) for piece in CELL.split(make(**place)))
                return tables.setdefault(cells, len(tables))

            at = self.each(number, *by)
            return pack({}, {"pieces": list(pieces), "tables": list(tables), "by": by, "at": at})

        payload = self._kept(made, of, sentence, key, by)
        self.drawn.append(Drawn("tables", key, payload, alone, by=by))
        components.show("tables", payload, f"{self.name}_{key}", in_page=True)

    @cached_property
    def counts(self) -> Mapping[str, int]:
        """How many of each the keys walk along."""
        limits = self.start["limits"]
        return {name: limits[f"{name}s"] for name in WALKED}
