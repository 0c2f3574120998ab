"""The frame around every page, so that each thing stands at the same place everywhere.

One sentence · token strip · figure · arithmetic · code · try this · the way on.
"""

from __future__ import annotations

import logging
from collections import ChainMap
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import plotly.graph_objects as go
import streamlit as st

from viz_core.errors import VizError
from viz_core.figures.palette import DARK, LIGHT, Palette
from viz_core.texts import fill, texts
from viz_core.ui import cache, controls, state
from viz_core.ui.code import code_panel
from viz_core.ui.markup import markdown, shown
from viz_core.ui.state import View
from viz_core.ui.strip import token_strip
from viz_core.ui.style import SIDEBAR_WIDTH, STYLE

log = logging.getLogger(__name__)


def run(pages: Mapping[str, Sequence[str]]) -> None:
    """Draws the frame and runs the chosen page.

    Args:
        pages: section → files of its pages, in the order of the tour. The first of all is the one at `/`.
    """
    words = texts("app")
    st.set_page_config(page_title=words["name"], page_icon="🔎", layout="wide", initial_sidebar_state=SIDEBAR_WIDTH)
    st.html(STYLE)
    state.settle()
    table = {section: [_page(path) for path in paths] for section, paths in pages.items()}
    state.change(_tour=[page for section in table.values() for page in section])
    chosen = st.navigation(table, expanded=True)
    state.put(controls.sidebar())
    chosen.run()


def _page(path: str) -> Any:
    name = path.rsplit("/", 1)[1].removesuffix(".py")
    words = texts(name)
    default = name == "overview"
    return st.Page(path, title=words["title"], icon=words["icon"], url_path="" if default else name, default=default)


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
        return str(
            st.segmented_control(
                self.texts[key], options, default=options[0], required=True, key=f"{self.name}_{key}",
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
            state.change(**{f"{self.name}_at": at, row: default[0], column: default[1]})
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


@contextmanager
def page(name: str) -> Iterator[Page]:
    """Everything around a page's figure. While there is no sentence, the invitation stands in its place.

    A VizError inside is told in its own words; anything else goes to the log, and the page says that it failed.
    """
    words = texts(name)
    view = state.current()
    title, steps = st.container(key="_head").columns([2, 1], vertical_alignment="center")
    title.title(words["title"], anchor=False)
    if view is not None:
        with steps:
            controls.stepper(view)
    _notices()
    if view is None:
        _invitation()
        st.stop()
    assert view is not None
    this = Page(name, view)
    st.markdown(words["what"])
    token_strip(view, this.palette)
    try:
        yield this
    except VizError as error:
        st.error(markdown(str(error)))
    _code(this)
    _try_this(this)
    _way_on(name)


def _notices() -> None:
    told = texts("notices")
    for notice in state.notices() + list(getattr(getattr(state.current(), "explanation", None), "notices", ())):
        values = {k: markdown(str(v)) for k, v in notice.values.items()}
        st.warning(fill(told[notice.code], values))


def _invitation() -> None:
    words = texts("app")
    if not cache.usable()[0]:
        st.info(words["no_checkpoint"])
        return
    st.subheader(words["invitation_title"], anchor=False)
    st.markdown(words["invitation"])
    for i, example in enumerate(words["example"]):
        label = f"{example['text']} :gray[– {example['note']}]"
        st.button(label, key=f"_invite_{i}", on_click=controls.take, args=(example["text"],))


def _code(this: Page) -> None:
    with st.expander(texts("app")["code"]):
        st.markdown(texts("app")["code_lead"])
        for entry in this.texts.get("code", []):
            code_panel(entry["function"], entry.get("lit", ""), this.palette)


def _try_this(this: Page) -> None:
    entries = this.texts.get("try", [])
    if not entries:
        return
    st.subheader(texts("app")["try_this"], anchor=False)
    for column, (i, entry) in zip(st.columns(len(entries)), enumerate(entries), strict=True):
        column.button(entry["label"], key=f"_try_{this.name}_{i}", on_click=_try, args=(entry["set"], this.view), width="stretch")


def _try(wanted: Mapping[str, Any], view: View) -> None:
    """Sets what an entry of "try this" names; `last` is the last layer, head or step."""
    last = {"layer": view.config.n_layers, "head": view.config.n_heads, "step": len(view.explanation.steps)}
    values = {name: last[name] if value == "last" else value for name, value in wanted.items()}
    if "text" in values:
        values = {"target": "", "step": 1} | values
    state.change(**values)


def _way_on(name: str) -> None:
    tour = state.get("_tour", [])
    titles = [page.url_path or "overview" for page in tour]
    at = titles.index(name)
    st.divider()
    back, on = st.columns(2)
    if at > 0:
        back.page_link(tour[at - 1], label=f"◀ {texts('app')['back']}: {tour[at - 1].title}")
    if at + 1 < len(tour):
        on.page_link(tour[at + 1], label=f"{texts('app')['on']}: {tour[at + 1].title} ▶")
