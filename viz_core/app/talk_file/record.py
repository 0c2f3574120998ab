"""Records views while their pages draw them without a server: those of a talk, or one page for a notebook's cell.

Streamlit's elements then go nowhere. The cell shows the page's file in a frame, with the model inside, so that it needs neither a
server nor a network.
"""

from __future__ import annotations

import contextlib
import logging
import runpy
import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from viz_core.app import frame, session
from viz_core.app.drawing import Drawn
from viz_core.app.html_file import Shown, alone
from viz_core.app.live import live as live_model
from viz_core.app.page import Page
from viz_core.app.player import exact
from viz_core.app.talks import FOLDER, Talk, TalkView, current, find, library, read_texts, translated, translation_of
from viz_core.app.talks.mistakes import MOST
from viz_core.app.top_bar import chips, line
from viz_core.errors import TextError, VizError, nearest
from viz_core.home import HOME
from viz_core.texts import DEFAULT_LANGUAGE, PAGES, fill, language, texts

if TYPE_CHECKING:
    from viz_core.app.talks import Problem

Part = tuple[str, str, Any, bool]
"""Name, key, payload (JSON or bytes), and whether the page's style sheets apply to it."""
ENDS_THE_STAGE = 'class="draws'
"""A table that is its page's picture: lecture mode shows nothing below it."""


def load(name: str, language: str = DEFAULT_LANGUAGE) -> tuple[Talk, list[Problem]]:
    """A talk, by the name of a shipped one or by its file's path, in a language, and the problems in the file.

    Raises:
        VizError: there is no such talk, or none of its views can be shown.
    """
    path = find(name) or Path(name)
    if not path.is_file():
        known = nearest(name, sorted(file.stem for file in FOLDER.glob("*.toml")))
        raise TextError(f"there is no talk {name!r}: neither in {FOLDER}, where {known}, nor a file of this path")
    pages = sorted(path.parent.name for path in PAGES.glob("*/page.py"))
    talk, problems = library.load(path, pages)
    if not talk.views:
        line = texts("app.lecture")["problem"]
        reasons = [fill(line, {"line": one.line, "reason": one.reason}) if one.line else one.reason for one in problems]
        raise TextError(f"{path}: " + "\n".join(reasons[:MOST]))
    translation = translation_of(path, language)
    return translated(talk, read_texts(translation) if translation else {}), problems


def recorded(talk: Talk, model: str = "") -> Iterator[Shown]:
    """Each view of a talk in turn, as the app shows it in the current language.

    Args:
        model: of the views that name none.

    Raises:
        VizError: a view fails; the message says which.
    """
    pages = [path.parent.name for path in PAGES.glob("*/page.py")]
    with recording(pages):
        session.change(_own_talks={talk.name: (talk, [])})
        for index, view in enumerate(talk.views):
            yield _record(talk, index, view, model)


def _record(talk: Talk, index: int, view: TalkView, model: str) -> Shown:
    mode = {} if talk.is_lesson else {"lecture": "on"}  # a lesson is read
    usual = {"model": model} if model else {}
    link = {"talk": talk.name, "at": str(index + 1), **usual, **mode, **view.link()}
    page, _ = draw(view.page, {}, link, f"{talk.name}, view {index + 1}, {view.title}")
    heading = str(page.texts["title"]) if view.title == view.page else view.title
    caption = [view.caption] if view.caption else page.description
    limits = {**page.start["limits"], "picked_by": page.picked_by}
    start = {"limits": limits, "view": page.start["view"], "theme": page.start["theme"], "exact": exact(page)}
    drawn = tuple(on_stage(page.drawn))
    bar, sentence = chips(page.view) | line(page.view), page.view.sentence
    return Shown(heading, start, bar, drawn, caption, _note(view), page.nothing_to_hide, tuple(session.notices()), sentence)


def _note(view: TalkView) -> str:
    """The speaker's note; for a lesson, the reader's text and task."""
    todo = [f"{texts('app.lecture')['lesson']['todo']} {view.todo}"] if view.todo else []
    return current.flowing("\n\n".join([view.note, *todo]))


@contextlib.contextmanager
def recording(tour: Sequence[str]) -> Iterator[None]:
    """Context of all recordings: without a session, and without Streamlit's warnings about that."""
    logging.disable(logging.WARNING)
    try:
        with contextlib.chdir(HOME), session.apart():
            session.change(_tour=tour)
            yield
    finally:
        logging.disable(logging.NOTSET)


def draw(page: str, pages: Mapping[str, Sequence[str]], link: Mapping[str, str], place: str) -> tuple[Page, list[Part]]:
    """A page as this link shows it, and its parts.

    Args:
        pages: section → its pages, for the rail.
        place: what the message of an error begins with.

    Raises:
        VizError: the page fails, or has no sentence.
    """
    parts: list[Part] = []
    session.change(_recorded=None, _parts=parts)
    session.visit({"lang": language(), **link}, page=page)
    try:
        frame.show(pages, page, lambda: runpy.run_path(str(PAGES / page / "page.py")))
    except Exception as error:
        raise VizError(f"{place}: {error}") from error
    drawn: Page | None = session.get("_recorded")
    if drawn is None:
        raise VizError(f"{place}: there is nothing to show")
    return drawn, parts


def on_stage(drawn: list[Drawn]) -> Iterator[Drawn]:
    """The part of a page that lecture mode shows: everything up to its first picture, and the browser-side parts after it."""
    ended = False
    for one in drawn:
        if not ended or one.kind == "part":
            yield one
        text = one.content if isinstance(one.content, str) else ""
        ended = ended or one.kind == "part" or one.alone or ENDS_THE_STAGE in text


@dataclass(frozen=True)
class Framed:
    """A page framed for a notebook's cell.

    Attributes:
        html: the whole file.
        height: of the frame, in px.
        title: of the frame, for screen readers.
    """

    html: bytes = field(repr=False)  # a notebook keeps the repr, too
    height: int
    title: str

    def _repr_html_(self) -> str:
        style, title = f"width: 100%; height: {self.height}px; border: 0", escape(self.title)
        return f'<iframe srcdoc="{escape(self.html.decode())}" title="{title}" style="{style}" allowfullscreen></iframe>'


def show(
    text: str, page: str = "overview", *, model: str = "en-de", live: bool = True, height: int = 720, **parameters: Any
) -> Framed:  # fmt: skip
    """A page of the app for a notebook's cell.

    Args:
        text: the sentence.
        page: its name in an address, such as cross_attention.
        live: whether it accepts other sentences; each cell then holds the model, otherwise only the recorded answers.
        height: of the frame, in px.
        parameters: as in an address (docs/links.md), where steps, layers and heads count from 1.

    Raises:
        TextError: there is no such page.
        VizError: the page cannot be shown.
    """
    if not (PAGES / page / "page.py").is_file():
        known = nearest(page, sorted(path.parent.name for path in PAGES.glob("*/page.py")))
        raise TextError(f"there is no page {page!r}; {known}")
    address = {"text": text, "model": model, **{name: str(value) for name, value in parameters.items()}}
    talk = Talk("cell", page, views=(TalkView(page, page, parameters=address),), is_lesson=True)
    (view,) = recorded(talk)
    for notice in view.notices:
        warnings.warn(fill(texts("app.notices")[notice.code], notice.values), stacklevel=2)
    held = live_model(model) if live else None
    return Framed(alone(view.heading, [view], live=held), height, view.heading)
