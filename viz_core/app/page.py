"""One page in a run: its texts by key, its own controls, the arithmetic; `drawing` holds what it draws."""

from collections import ChainMap
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import streamlit as st

from viz_core.app import page_options, session
from viz_core.app.controls import pick
from viz_core.app.csv_files import Rows, written
from viz_core.app.drawing import Drawing
from viz_core.app.markup import close_thousands, readable
from viz_core.app.view_options import Stage, View, ViewOptions
from viz_core.browser.pack import pack
from viz_core.figures.palette import DARK, LIGHT, Palette
from viz_core.params import Param
from viz_core.texts import fill, texts
from viz_core.wording import worded

FOLLOWS: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("overview", "attention_view", "side_by_side"), ("layer", "head")),
    **dict.fromkeys(("residual_stream", "layer_norm", "feed_forward"), ("layer",)),
}
"""The browser-side parts whose display depends on layer or head."""


def repeated(draw: Callable[..., None], every: float | None) -> Callable[..., None]:
    """A part of a page that is redrawn every so many seconds, and redrawn alone when something in it is clicked."""
    return draw if session.is_recorded() else st.fragment(draw, run_every=every)


def palette() -> Palette:
    """The colours of the reader's theme."""
    return DARK if session.dark() else LIGHT


@dataclass(frozen=True)
class Table:
    """Some numbers of a page: their label, the file's name, and a function that makes the file."""

    label: str
    file: str
    make: Callable[[], bytes]


class Page(Drawing):
    """One page in this run: its texts by key, its own controls, what it draws, and what it offers to download."""

    def __init__(self, name: str, view: View, stage: Stage = None, *, cell_of_step: bool = False) -> None:
        super().__init__(name, view, palette(), stage, cell_of_step=cell_of_step)
        config, tokenizer = view.config, view.checkpoint.tokenizer
        words = (worded(texts_name, config, tokenizer) for texts_name in (name, *texts(name).get("shares", [])))
        self.texts: Mapping[str, Any] = ChainMap({}, *map(dict, words))
        self.view_options: ViewOptions = page_options.current()
        self.offered: list[Table] = []
        """The numbers of the current view, for a spreadsheet."""
        self._controls: Any = None
        self.own: set[str] = set()
        """Parameters that this page's own controls share with a browser-side part."""
        self.follows: set[str] = set()
        """View fields that Python itself draws from: when one changes in the browser, the page runs again."""
        self.nothing_to_hide = False
        """Whether the page reveals nothing about the next word."""
        self.picked_below = False
        """Whether layer and head affect only what is below the figure, which lecture mode does not show."""

    @property
    def picked_by(self) -> list[str]:
        """Those of layer and head that affect the figures drawn so far."""
        drawn = [name for figure in self.drawn for name in (*figure.by, *FOLLOWS.get(figure.name, ()))]
        frames = ("layer", "head") if self.name == "heads" else ()  # bertviz follows them inside its own frame
        return [name for name in ("layer", "head") if name in {*drawn, *self.follows, *frames}]

    def text(self, key: str, /, **values: Any) -> str:
        """One text of this page with values put in unescaped: for labels and figures, which escape by themselves."""
        return fill(self.texts[key], values)

    @property
    def description(self) -> list[str]:
        """What the page is about, without its grey ending; every second of these texts is bold."""
        return str(self.texts["what"]).partition(":gray[")[0].rstrip().split("**")

    @property
    def hint(self) -> list[str]:
        """The grey ending, how to go on from here, in the same form; empty without one."""
        ending = str(self.texts["what"]).partition(":gray[")[2].removesuffix("]").replace("\\", "")
        return ending.split("**") if ending else []

    def show_code(self, key: str) -> None:
        """Shows the code of the current view instead of the page's."""
        self.texts = ChainMap({"code": self.texts[key]}, dict(self.texts))

    def table(self, key: str, /, **values: Any) -> dict[str, str]:
        """All texts of one table of this page, each as from `text`."""
        return {name: fill(text, values) for name, text in self.texts[key].items()}

    def pick(self, control: Param[Any], /, *given: Any, **named: Any) -> Any:
        """Draws one of the page's controls and returns its value."""
        return pick(control, self, *given, **named)

    def write(self, key: str, /, **values: Any) -> None:
        """One text of this page as Markdown: strings are shown as they were typed, numbers rounded for reading."""
        self._say(key, values)

    def _say(self, key: str, values: Mapping[str, Any], heading: str = "") -> None:
        self.write_text(close_thousands(fill(self.texts[key], {k: readable(v) for k, v in values.items()})), key, heading)

    def write_text(
        self, text: str, key: str, heading: str = "", figure: str = "", counts: Mapping[str, int] = MappingProxyType({})
    ) -> None:
        """Writes Markdown, here and on a site. heading: of its section; the app has drawn it already. counts: put into the text; a
        site takes those of any sentence from the data that the figure shares.
        """
        st.markdown(fill(text, counts) if counts else text)  # else it may have typed brackets
        session.record_part("said", f"said {key}", pack({}, {"heading": heading, "text": text, "figure": figure}), True)

    def known(self, *arrays: npt.NDArray[Any]) -> bool:
        """Whether all values are finite; if not, as an edited model's may be, the page says so."""
        good = all(np.isfinite(array).all() for array in arrays)
        if not good:
            self.write("unknown")
        return good

    def arithmetic(self, key: str = "arithmetic", /, **values: Any) -> None:
        """A formula, then the same with this sentence's numbers."""
        heading = texts("app.frame")["arithmetic"]
        with st.container(key="_arithmetic"):
            st.header(heading, anchor=False)
            self._say(key, values, heading)

    def say_beyond(self, name: Literal["dim", "place"], count: int) -> None:
        """Says so if a link asks for a dimension or place beyond the last one, which the browser then shows."""
        index = getattr(self.view_options, name)
        if index is not None and index >= count and session.is_link():
            session.notify_replaced(self.texts[name], str(index + 1), count, nearest=True)

    def offer(self, key: str, file: str, columns: str, rows: Rows, /, **values: Any) -> None:
        """Numbers of this view as CSV; `key` names them, in the table `downloads` of this page's texts or of the shell's."""
        labels = {**texts("app.downloads"), **self.texts.get("downloads", {})}
        self.offered.append(Table(fill(labels[key], values), file, lambda: written(columns, rows())))

    def let_go(self) -> None:
        """At the end of a run: the session keeps the page for its callbacks, but no payloads, figures or numbers."""
        self.drawn.clear()
        self.offered.clear()

    def keep_view_options(self) -> None:
        """Writes the options of the page's browser-side parts into the address, except those that its own controls write."""
        for name, value in page_options.link(self.name).items():
            if name not in self.own:
                session.keep(name, value)

    def controls(self) -> Any:
        """The row of the page's own controls above the figure; the same row each time."""
        self._controls = self._controls or st.container(key="_controls", horizontal=True, vertical_alignment="bottom", gap="medium")
        return self._controls

    def nothing_to_guess(self, nothing: bool) -> None:
        """Says whether the page gives nothing away, so that it stays in sight while the next word is to be guessed.

        To be called in every run, before the page draws anything that could give the word away.
        """
        self.nothing_to_hide = nothing
        st.html(f"<style>:root {{ --to-guess: {'visible' if nothing else 'hidden'}; }}</style>")
