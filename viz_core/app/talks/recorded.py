"""The talk that is being recorded in this session: its views are added, moved, edited and removed.

The browser keeps it as the text of its file, and hands it back to a session that has none: after a reload, or on a server that was
started again.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from viz_core.app import session, talks
from viz_core.app.markup import markdown
from viz_core.app.talks import Talk, TalkView, current
from viz_core.texts import fill, texts

NAME = current.RECORDED
LEFT_OUT = ("lecture", "talk", "at", "predict")
"""Parameters of an address that a view does not keep: they belong to the stage, and it has its own word for what it hides."""
LARGEST = 1_000_000
"""Characters of a text that a browser hands back."""


def recorded() -> Talk:
    """The talk that is being recorded; without a view as long as there is none."""
    return current.find(NAME) or Talk(NAME, texts("app.lecture")["recorder"]["untitled"])


def text() -> str | None:
    """Its file, for the browser to keep; "" where all views were removed, None where nothing was recorded in this session."""
    found = current.find(NAME)
    return None if found is None else talks.dumps(found) if found.views else ""


def restore(file: str) -> None:
    """What a browser has kept, unless something is recorded here already."""
    if current.find(NAME) is not None or len(file) > LARGEST:
        return
    pages = [*session.tour()]
    talk, problems = talks.loads(file, NAME, pages, current.parameters(pages))
    if talk.views:
        current.own(talk, problems)
        if (at := session.take("_recorded_at")) is not None:
            current.show(NAME, min(at, len(talk.views) - 1), lecture=bool(session.get("_lecture")))


def add(page: str, title: str = "", note: str = "", hide: Any = "") -> str:
    """The view on display, behind the one that is picked, or at the end; returns what is said of it."""
    # The sentence in any case: another version may begin with another one.
    address = {"text": session.get("text") or ""} | session.address()
    parameters = {name: value for name, value in address.items() if name not in LEFT_OUT}
    views = recorded().views
    at = min(session.get("_rec_at") if session.get("_rec_at") is not None else len(views), len(views) - 1) + 1
    named = title or str(texts(page)["title"])
    keep((*views[:at], TalkView(page, named, note, hide, None, parameters), *views[at:]))
    session.change(_rec_at=at)
    return fill(texts("app.lecture")["recorder"]["added"], {"at": at + 1, "title": markdown(named)})


def move(at: int, by: int) -> None:
    """One view up or down."""
    views = list(recorded().views)
    views[at], views[at + by] = views[at + by], views[at]
    keep(tuple(views))
    session.change(_rec_at=at + by)


def remove(at: int) -> None:
    """Takes a view out."""
    views = recorded().views
    keep(views[:at] + views[at + 1 :])
    session.change(_rec_at=max(at - 1, 0))


def edit(at: int, **changed: Any) -> None:
    """Another title, note, caption, length or question of a view."""
    views = list(recorded().views)
    views[at] = replace(views[at], **changed)
    keep(tuple(views))


def rename(title: str) -> None:
    """Another title of the talk."""
    current.own(replace(recorded(), title=title.strip() or texts("app.lecture")["recorder"]["untitled"]), [])


def copy(name: str | None) -> None:
    """A copy of a whole talk takes the place of what is recorded, which the list of talks cannot show twice."""
    if chosen := current.find(name):
        current.own(replace(chosen, name=NAME), [])
        session.change(_rec_copy=None, _rec_name=chosen.title, _rec_at=0)


def keep(views: tuple[TalkView, ...]) -> None:
    """These are its views from now on."""
    current.own(replace(recorded(), views=views), [])
