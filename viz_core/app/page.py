"""What a page writes with: its texts by key, its own controls, figures, the arithmetic."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go
import streamlit as st

from viz_core.app import components, session
from viz_core.app.box import box
from viz_core.app.markup import shown
from viz_core.app.session import View
from viz_core.app.view_options import Stage, ViewOptions, from_link
from viz_core.explain import Notice
from viz_core.figures.described import described
from viz_core.figures.palette import DARK, LIGHT, Palette
from viz_core.texts import fill, texts

ON_STAGE, LEAST_OF_IT = 385, 0.67
"""In lecture mode: px of a figure's height, what title and strip leave of 720; and the part of its own height to which it is
pressed for that at most, or its labels would lie over each other."""

Option = TypeVar("Option", bound=str)


@dataclass(frozen=True)
class Table:
    """Some numbers of a page: what they are called, in which file they go, and what makes it."""

    label: str
    file: str
    make: Callable[[], bytes]


def chosen(page: str, key: str, options: Sequence[Option]) -> Option:
    """What `Page.choose` will give in this run: for what has to be known before a page's controls are drawn."""
    value = session.asked(key) if session.arrived() else session.get(f"{page}_{key}")
    return next((option for option in options if option == value), options[0])


class Page:
    """What a page writes with: texts by key, figures, the arithmetic."""

    def __init__(self, name: str, view: View, stage: Stage = None) -> None:
        self.name, self.view, self.stage = name, view, stage
        own = texts(name)
        self.texts: Mapping[str, Any] = ChainMap({}, *(dict(texts(each)) for each in (name, *own.get("shares", []))))
        self.palette: Palette = DARK if session.dark() else LIGHT
        self.look: ViewOptions = session.look(name)
        self.mounted: dict[str, bytes] = {}
        """The browser-side parts of this page, such as `stage`, with what each was given: the HTML file shows them again."""
        self.offered: list[Table] = []
        """The numbers of the view that is shown, for a spreadsheet."""
        self._controls: Any = None
        self._own: set[str] = set()  # the names in the address of this page's own controls
        self._first: dict[str, int] = {}  # of this page's own controls: the value that index 0 of a click stands for

    def text(self, key: str, /, **values: Any) -> str:
        """One text of this page with values put in as they are: for labels and figures, which escape for themselves."""
        return fill(self.texts[key], values)

    def light(self, key: str) -> None:
        """The code of the view that is shown, in place of the page's."""
        self.texts = ChainMap({"code": self.texts[key]}, dict(self.texts))

    def table(self, key: str, /, **values: Any) -> dict[str, str]:
        """All texts of one table of this page, as `text` gives one."""
        return {name: fill(text, values) for name, text in self.texts[key].items()}

    def write(self, key: str, /, **values: Any) -> None:
        """One text of this page as Markdown: strings are shown as they were typed, numbers rounded for reading."""
        st.markdown(fill(self.texts[key], {k: shown(v) for k, v in values.items()}))

    def known(self, *arrays: npt.NDArray[Any]) -> bool:
        """Whether all of these are numbers; where an edited model's are not, the page says so."""
        good = all(np.isfinite(array).all() for array in arrays)
        if not good:
            self.write("unknown")
        return good

    def arithmetic(self, key: str = "arithmetic", /, **values: Any) -> None:
        """A formula, then the same with this sentence's numbers."""
        with st.container(key="_arithmetic"):
            st.header(texts("app.frame")["arithmetic"], anchor=False)
            self.write(key, **values)

    def offer(self, key: str, file: str, make: Callable[[], bytes], **values: Any) -> None:
        """Numbers to take along as CSV; `key` names what they are in `texts/<language>/export.toml`."""
        self.offered.append(Table(fill(texts("app.downloads")[key], values), file, make))

    def keep_look(self) -> None:
        """What the page's browser-side parts show, into the address; a name of its own controls' is theirs."""
        for name, value in session.look_link(self.name).items():
            if name not in self._own:
                session.keep(name, value)

    def controls(self) -> Any:
        """The row above the figure in which its own controls stand side by side; the same row each time."""
        self._controls = self._controls or st.container(key="_controls", horizontal=True, vertical_alignment="bottom", gap="medium")
        return self._controls

    def choose(self, key: str, options: Sequence[Option], *, named: bool = True) -> Option:
        """A row of buttons, one of them on; labels are this page's texts of the same names.

        Args:
            named: False where the options say enough: the name is then only heard.
        """
        name, asked = f"{self.name}_{key}", session.asked(key)
        self._own.add(key)
        if session.arrived() or session.get(name) not in options:
            session.change(**{name: chosen(self.name, key, options)})
        if asked not in (None, *options):
            session.say(Notice("unknown", {"name": self.texts[key], "asked": (asked or "")[:40], "shown": self.texts[options[0]]}))
        st.segmented_control(
            self.texts[key], options, required=True, key=name, format_func=lambda option: str(self.texts[option]),
            persist_state="session", label_visibility="visible" if named else "collapsed",
        )  # fmt: skip
        session.keep(key, str(session.get(name)), options[0])
        picked: Option = session.get(name)
        return picked

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
        self._own.add("cell")
        linked = session.asked("cell")
        if session.arrived() or session.get(f"{self.name}_at") != at:
            session.change(**{f"{self.name}_at": at, row: default[0], column: default[1]})
            cell = from_link({"cell": linked or ""})[0].cell
            if cell is not None and cell[0] < len(queries) and cell[1] < len(keys):
                session.change(**{row: cell[0], column: cell[1]})
        words = texts("app.frame")
        above = [self.texts[name] for name in names] or [words["query"], words["key"]]
        for name, labels, word in ((row, queries, above[0]), (column, keys, above[1])):
            shown = [f"{i}  {label}" for i, label in enumerate(labels, 1)]
            st.selectbox(word, range(len(labels)), key=name, format_func=shown.__getitem__, persist_state="session", width=170)
        picked = int(session.get(row)), int(session.get(column))
        session.keep("cell", f"{picked[0] + 1}-{picked[1] + 1}", f"{default[0] + 1}-{default[1] + 1}")
        return picked

    def pick(self, key: str, labels: Sequence[str], default: int = 0, *, width: int = 220, first: int = 1) -> int:
        """One of a list, such as the tokens, counted from 0; equal labels stay apart. Another list goes back to the default.

        Args:
            first: the number that the first of the list is shown with.
        """
        name, at = f"{self.name}_{key}", tuple(labels)
        self._first[key] = 0
        self._settle(key, at, 0, len(labels) - 1, default, first)
        picked = box(name, self.texts[key], range(len(labels)), lambda i: f"{i + first}  {labels[i]}", width=width)
        session.keep(key, str(picked + first), str(default + first))
        return picked

    def pick_many(self, key: str, labels: Sequence[str], default: Sequence[int], most: int) -> list[int]:
        """A few of a list, counted from 0, in the order of the list; the default where nothing is picked."""
        name = f"{self.name}_{key}"
        if session.arrived() or session.get(name) is None:
            numbers = [int(part) - 1 for part in (session.asked(key) or "").split("-") if part.isdecimal() and len(part) < 6]
            linked = [i for i in dict.fromkeys(numbers) if 0 <= i < len(labels)][:most]
            session.change(**{name: linked or list(default)})
        chosen = st.multiselect(
            self.texts[key], range(len(labels)), key=name, format_func=lambda i: labels[i], max_selections=most,
            persist_state="session",
        )  # fmt: skip
        picked = sorted(chosen) or list(default)
        session.keep(key, "-".join(str(i + 1) for i in picked), "-".join(str(i + 1) for i in sorted(default)))
        return picked

    def type(self, key: str, default: str, *, width: int | Literal["stretch"] = "stretch") -> str:
        """A line to type in; `<key>_hint` of this page's texts stands in it while it is empty."""
        name, asked = f"{self.name}_{key}", session.asked(key)
        if session.arrived() or session.get(name) is None:
            session.change(**{name: default if asked is None else asked})
        st.text_input(self.texts[key], key=name, placeholder=self.texts[f"{key}_hint"], persist_state="session", width=width)
        typed = str(session.get(name) or "")
        session.keep(key, typed, default)
        return typed

    def suggest(self, key: str, labels: Mapping[str, str], *, width: int = 220) -> str | None:
        """One of a list, or anything that is typed into it; None while nothing was picked: its first then stands there.

        Args:
            labels: what is picked → how it is shown in the list.
        """
        name = f"{self.name}_{key}"
        if session.arrived():
            session.change(**{name: (session.asked(key) or "").strip() or None})
        st.selectbox(
            self.texts[key], list(labels), index=None, key=name, format_func=lambda each: labels.get(each, each),
            placeholder=next(iter(labels.values()), ""), accept_new_options=True, persist_state="session", width=width,
        )  # fmt: skip
        picked: str | None = (session.get(name) or "").strip() or None
        session.keep(key, picked or "")
        return picked

    def slide(self, key: str, low: int, high: int, default: int, of: object = None, *, width: int = 320) -> int:
        """A whole number on a slider; another `of` goes back to the default. No slider where there is nothing to choose."""
        name, at = f"{self.name}_{key}", (of, low, high)
        self._first[key] = low
        self._settle(key, at, low, high, default)
        if low < high:
            st.slider(self.texts[key], low, high, key=name, persist_state="session", width=width)
        session.keep(key, str(session.get(name)), str(default))
        return int(session.get(name))

    def _settle(self, key: str, of: object, low: int, high: int, default: int, first: int = 0) -> None:
        """Before a control is drawn: the link's number, or the default where the control is of something else than before."""
        name, asked = f"{self.name}_{key}", session.asked(key)
        if not session.arrived() and session.get(f"{name}_of", of) == of and session.get(name) is not None:
            session.change(**{f"{name}_of": of})  # none yet where "try this" set it before it was ever drawn
            return
        value = int(asked) - first if asked is not None and asked.isdecimal() and len(asked) < 6 else default
        session.change(**{f"{name}_of": of, name: min(max(value, low), high)})
        if asked is not None and asked != str(session.get(name) + first):
            told = {"name": self.texts[key], "asked": asked[:40], "shown": session.get(name) + first}
            session.say(Notice("nearest" if asked.lstrip("-").isdecimal() else "unknown", told))

    def nothing_to_guess(self, nothing: bool) -> None:
        """Whether all that the page draws leaves the next word open, so that it stays while the next word is to be guessed.

        To be called in every run, before the page draws anything that could give the word away.
        """
        st.html(f'<span class="{"viz-open" if nothing else "viz-may-tell"}"></span>')

    def mount(self, name: str, payload: bytes, key: str | None = None) -> None:
        """A browser-side part, which the page's HTML file shows as well; another key is another part, mounted anew."""
        self.mounted[name] = payload
        components.show(name, payload, key)

    def html(self, drawn: str) -> None:
        """HTML made by a figure, such as a table; it escapes what was typed for itself."""
        st.html(drawn)

    def show(
        self, figure: go.Figure, key: str = "figure", *, clicks: bool | str | tuple[str, str] = False, alone: bool = True
    ) -> None:
        """A figure, and in words what it shows; with clicks, a click on a cell moves what `pick_cell` gives, or sets this control,
        or these two.

        A control is one of the sidebar, or one of this page that was drawn with `pick` or `slide`.

        Args:
            alone: False where something else stands on the stage with it: it then keeps its own height.
        """
        figure.update_layout(meta={"said": described(figure)})  # read by components/js/access
        if session.get("_lecture") and alone:
            figure.update_layout(height=max(ON_STAGE, LEAST_OF_IT * figure.layout.height))
        config = {"displayModeBar": False, "scrollZoom": False}
        if not clicks:
            st.plotly_chart(figure, key=f"{self.name}_{key}", config=config, theme=None)
            return
        st.plotly_chart(
            figure, key=f"{self.name}_{key}", config=config, theme=None, selection_mode="points",
            on_select=lambda: self._clicked(f"{self.name}_{key}", "" if clicks is True else clicks),
        )  # fmt: skip

    def _clicked(self, key: str, control: str | tuple[str, str] | bool) -> None:
        points = session.get(key)["selection"]["points"]
        if points and isinstance(control, tuple):
            session.change(**{each: int(at) + 1 for each, at in zip(control, points[0]["customdata"], strict=True)})
        elif points and control in self._first:
            session.change(**{f"{self.name}_{control}": self._first[control] + int(points[0]["customdata"][0])})
        elif points and control:
            session.change(**{str(control): int(points[0]["customdata"][0]) + 1})
        elif points:
            row, column = points[0]["customdata"]
            session.change(**{f"{self.name}_row": int(row), f"{self.name}_column": int(column)})
