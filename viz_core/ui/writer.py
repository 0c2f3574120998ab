"""What a page writes with: its texts by key, its own controls, figures, the arithmetic."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Mapping, Sequence
from typing import Any

import plotly.graph_objects as go
import streamlit as st

from viz_core.figures.palette import DARK, LIGHT, Palette
from viz_core.texts import fill, texts
from viz_core.ui import state
from viz_core.ui.markup import shown
from viz_core.ui.state import View


class Page:
    """What a page writes with: texts by key, figures, the arithmetic."""

    def __init__(self, name: str, view: View) -> None:
        self.name, self.view = name, view
        own = texts(name)
        self.texts: Mapping[str, Any] = ChainMap({}, *(dict(texts(each)) for each in (name, *own.get("shares", []))))
        self.palette: Palette = DARK if state.dark() else LIGHT
        self._first: dict[str, int] = {}  # of this page's own controls: the value that index 0 of a click stands for

    def text(self, key: str, /, **values: Any) -> str:
        """One text of this page with values put in as they are: for labels and figures, which escape for themselves."""
        return fill(self.texts[key], values)

    def table(self, key: str, /, **values: Any) -> dict[str, str]:
        """All texts of one table of this page, as `text` gives one."""
        return {name: fill(text, values) for name, text in self.texts[key].items()}

    def write(self, key: str, /, **values: Any) -> None:
        """One text of this page as Markdown: strings are shown as they were typed, numbers rounded for reading."""
        st.markdown(fill(self.texts[key], {k: shown(v) for k, v in values.items()}))

    def arithmetic(self, key: str = "arithmetic", /, **values: Any) -> None:
        """A formula, then the same with this sentence's numbers."""
        st.subheader(texts("app")["arithmetic"], anchor=False)
        self.write(key, **values)

    def controls(self) -> Any:
        """The row above the figure in which its own controls stand side by side."""
        return st.container(horizontal=True, vertical_alignment="bottom", gap="medium")

    def choose(self, key: str, options: Sequence[str]) -> str:
        """A row of buttons, one of them on; labels are this page's texts of the same names."""
        name = f"{self.name}_{key}"
        return str(
            st.segmented_control(
                self.texts[key], options, required=True, key=name, default=options[0] if state.get(name) is None else None,
                format_func=lambda option: str(self.texts[option]), persist_state="session",
            )
        )  # fmt: skip

    def pick_cell(
        self, queries: Sequence[str], keys: Sequence[str], default: tuple[int, int], *, names: Sequence[str] = (), of: object = None
    ) -> tuple[int, int]:
        """Which cell to open: two lists for the keyboard, moved by a click into the figure as well.

        Another sentence, or another `of` (None: another step), goes back to the default.

        Args:
            names: this page's texts over the two lists, where they are not query and key.

        Returns:
            (query, key), counted from 0.
        """
        of = self.view.step if of is None else of
        at = (self.view.explanation.source.text, self.view.explanation.text, of, len(queries), len(keys))
        row, column = f"{self.name}_row", f"{self.name}_column"
        if state.get(f"{self.name}_at") != at:
            wanted = state.take(f"{self.name}_wanted")
            first = queries.index(wanted) if wanted in queries else default[0]
            state.change(**{f"{self.name}_at": at, row: first, column: default[1]})
        words = texts("app")
        above = [self.texts[name] for name in names] or [words["query"], words["key"]]
        for name, labels, word in ((row, queries, above[0]), (column, keys, above[1])):
            shown = [f"{i}  {label}" for i, label in enumerate(labels, 1)]
            st.selectbox(word, range(len(labels)), key=name, format_func=shown.__getitem__, persist_state="session", width=170)
        return int(state.get(row)), int(state.get(column))

    def pick(self, key: str, labels: Sequence[str], default: int = 0, *, width: int = 220, first: int = 1) -> int:
        """One of a list, such as the pieces, counted from 0; equal labels stay apart. Another list goes back to the default.

        Args:
            first: the number that the first of the list is shown with.
        """
        name, at = f"{self.name}_{key}", tuple(labels)
        self._first[key] = 0
        if state.get(f"{name}_of") != at or state.get(name) is None:
            state.change(**{f"{name}_of": at, name: default})
        st.selectbox(
            self.texts[key], range(len(labels)), key=name, format_func=lambda i: f"{i + first}  {labels[i]}",
            persist_state="session", width=width,
        )  # fmt: skip
        return int(state.get(name, default))

    def pick_many(self, key: str, labels: Sequence[str], default: Sequence[int], most: int) -> list[int]:
        """A few of a list, counted from 0, in the order of the list; the default where nothing is picked."""
        chosen = st.multiselect(
            self.texts[key], range(len(labels)), default=default, key=f"{self.name}_{key}", format_func=lambda i: labels[i],
            max_selections=most, persist_state="session",
        )  # fmt: skip
        return sorted(chosen) or list(default)

    def slide(self, key: str, low: int, high: int, default: int, of: object = None, *, width: int = 320) -> int:
        """A whole number on a slider; another `of` goes back to the default. No slider where there is nothing to choose."""
        name, at = f"{self.name}_{key}", (of, low, high)
        self._first[key] = low
        if state.get(f"{name}_of") != at or state.get(name) is None:
            state.change(**{f"{name}_of": at, name: default})
        if low < high:
            st.slider(self.texts[key], low, high, key=name, persist_state="session", width=width)
        return int(state.get(name, default))

    def html(self, drawn: str) -> None:
        """HTML made by a figure, such as a table; it escapes what was typed for itself."""
        st.html(drawn)

    def show(self, figure: go.Figure, key: str = "figure", *, clicks: bool | str = False) -> None:
        """A figure; with clicks, a click on a cell moves what `pick_cell` gives, or sets the control of this name.

        The control is one of the sidebar, or one of this page that was drawn with `pick` or `slide`.
        """
        config = {"displayModeBar": False, "scrollZoom": False}
        if not clicks:
            st.plotly_chart(figure, key=f"{self.name}_{key}", config=config, theme=None)
            return
        st.plotly_chart(
            figure, key=f"{self.name}_{key}", config=config, theme=None, selection_mode="points",
            on_select=lambda: self._clicked(f"{self.name}_{key}", "" if clicks is True else str(clicks)),
        )  # fmt: skip

    def _clicked(self, key: str, control: str) -> None:
        points = state.get(key)["selection"]["points"]
        if points and control in self._first:
            state.change(**{f"{self.name}_{control}": self._first[control] + int(points[0]["customdata"][0])})
        elif points and control:
            state.change(**{control: int(points[0]["customdata"][0]) + 1})
        elif points:
            row, column = points[0]["customdata"]
            state.change(**{f"{self.name}_row": int(row), f"{self.name}_column": int(column)})
