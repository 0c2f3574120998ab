"""What each view of a talk shows, recorded while the app itself runs it, without a server."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from streamlit.testing.v1 import AppTest

from viz_core.app.page import Drawn, Page
from viz_core.app.player import exact
from viz_core.app.talks import FOLDER, Talk, TalkView, current, find
from viz_core.app.top_bar import chips
from viz_core.errors import TextError, VizError
from viz_core.texts import texts

if TYPE_CHECKING:
    from viz_core.app.talks import Problem

ROOT = FOLDER.parent
PATIENCE = 300
"""Seconds that a view may take."""
ENDS_THE_STAGE = ("spelt", "draws", "filling")
"""Tables that are the picture of their page: in lecture mode nothing is shown below them."""


@dataclass(frozen=True)
class Recorded:
    """One view as the app has shown it in lecture mode.

    Attributes:
        view: of the talk.
        heading: its title, or its page's.
        caption: the view's, or what the page says of itself, as Markdown.
        start: what the browser's store starts with, and the numbers of the locked cell.
        top_bar: the sentence's tokens with what stands around them.
        drawn: what stands on the stage; nothing where only the server could show it.
        open: whether none of it gives away the next word.
    """

    view: TalkView
    heading: str
    caption: str
    start: dict[str, Any] = field(default_factory=dict)
    top_bar: dict[str, Any] = field(default_factory=dict)
    drawn: tuple[Drawn, ...] = ()
    open: bool = False


def load(name: str) -> tuple[Talk, list[Problem]]:
    """A talk by the name of a shipped one or by the path of its file, and what is wrong in the file.

    Raises:
        VizError: there is no such talk, or none of its views can be shown.
    """
    path = find(name) or Path(name)
    if not path.is_file():
        raise TextError(f"there is no talk {name!r}: neither in {FOLDER} nor a file of this path")
    pages = [*_files()]
    talk, problems = current.load(path, pages)
    if not talk.views:
        raise TextError(f"{path}: {problems[0].reason}")
    return talk, problems


def recorded(talk: Talk) -> Iterator[Recorded]:
    """Each view of a talk in turn.

    Raises:
        VizError: a view fails; the message says which.
    """
    with contextlib.chdir(ROOT):
        app = AppTest.from_file(ROOT / "app.py", default_timeout=PATIENCE)
        app.session_state["_own_talks"] = {talk.name: (talk, [])}
        app.run()
        for at, view in enumerate(talk.views):
            yield _record(app, talk, at, view)


def _record(app: AppTest, talk: Talk, at: int, view: TalkView) -> Recorded:
    app.session_state["_recorded"] = None
    app.session_state["_visit"] = {"talk": talk.name, "at": str(at + 1), "lecture": "on", **view.link()}
    app.switch_page(_files()[view.page]).run()
    if app.exception:
        raise VizError(f"{talk.name}, view {at + 1}, {view.title}: {app.exception[0].message}")
    words = texts(view.page)
    heading = str(words["title"]) if view.title == view.page else view.title
    caption = view.caption or str(words["what"])
    page: Page | None = app.session_state["_recorded"]
    if page is None:  # there is no sentence to show
        return Recorded(view, heading, caption)
    start = {"limits": page.start["limits"], "view": page.start["view"], "theme": page.start["theme"], "exact": exact(page)}
    return Recorded(view, heading, caption, start, chips(page.view), tuple(on_stage(page.drawn)), page.nothing_to_hide)


def on_stage(drawn: list[Drawn]) -> Iterator[Drawn]:
    """What lecture mode shows of a page: up to its first picture, and of what follows its other parts."""
    ended = False
    for each in drawn:
        if not ended or each.kind == "part":
            yield each
        text = each.content if isinstance(each.content, str) else ""
        ended = ended or each.kind == "part" or each.alone or any(f'class="{name}' in text for name in ENDS_THE_STAGE)


def _files() -> dict[str, str]:
    """Page → its file, from the root."""
    return {path.parent.name: str(path.relative_to(ROOT)) for path in sorted((ROOT / "pages").glob("*/page.py"))}
