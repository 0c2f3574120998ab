"""The talk that is being recorded in this session: its views are added, moved, edited and removed.

The browser keeps it (`in_browser`).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from viz_core.app import session, talks
from viz_core.app.markup import markdown
from viz_core.app.share import OF_THE_STAGE
from viz_core.app.talks import Talk, TalkView, in_browser, library
from viz_core.texts import fill, texts

NAME = library.RECORDED
LEFT_OUT = (*OF_THE_STAGE, "predict")
"""Parameters of an address that a view does not keep: it has its own word for what it hides."""


def recorded() -> Talk:
    """The talk that is being recorded; without a view as long as there is none."""
    return library.find(NAME) or Talk(NAME, texts("app.lecture")["recorder"]["untitled"])


def add(page: str, title: str = "", note: str = "", hide: Any = "") -> str:
    """The view on display, behind the one that is picked, or at the end; returns what is said of it."""
    # The sentence in any case: another version may begin with another one.
    address = {"text": session.get("text") or ""} | session.address()
    parameters = {name: value for name, value in address.items() if name not in LEFT_OUT}
    views = recorded().views
    at = min(session.get("_rec_at") if session.get("_rec_at") is not None else len(views), len(views) - 1) + 1
    named = title or str(texts(page)["title"])
    _keep((*views[:at], TalkView(page, named, note, hide, None, parameters), *views[at:]), at)
    return fill(texts("app.lecture")["recorder"]["added"], {"at": at + 1, "title": markdown(named)})


def move(at: int, by: int) -> None:
    """One view up or down."""
    views = list(recorded().views)
    views[at], views[at + by] = views[at + by], views[at]
    _keep(tuple(views), at + by)


def remove(at: int) -> None:
    """Takes a view out."""
    views = recorded().views
    _keep(views[:at] + views[at + 1 :], max(at - 1, 0))


def edit(at: int, **changed: Any) -> None:
    """Another title, note, caption or length of a view."""
    views = list(recorded().views)
    views[at] = replace(views[at], **changed)
    _own(replace(recorded(), views=tuple(views)))


def rename(title: str) -> None:
    """Another title of the talk."""
    _own(replace(recorded(), title=title.strip() or texts("app.lecture")["recorder"]["untitled"]))


def copy(name: str | None) -> None:
    """A copy of a whole talk takes the place of what is recorded, which the list of talks cannot show twice."""
    if chosen := library.find(name):
        _own(replace(chosen, name=NAME))
        session.change(_rec_copy=None, _rec_name=chosen.title, _rec_at=0)
        _other_views()


def _keep(views: tuple[TalkView, ...], at: int) -> None:
    """These are its views from now on, and this one is picked."""
    _own(replace(recorded(), views=views))
    session.change(_rec_at=at)
    _other_views()


def _own(talk: Talk) -> None:
    library.own(talk, [])
    in_browser.keep(NAME, talks.dumps(talk) if talk.views else "")


def _other_views() -> None:
    """Another view may stand at the same place, whose fields are others: what was typed into the old ones is not its."""
    session.change(_rec_fields=session.get("_rec_fields", 0) + 1)
