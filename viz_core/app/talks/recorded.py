"""The talk that is being recorded in this session: its views are added, moved, edited and removed.

The browser keeps it as the text of its file, and hands it back to a session that has none: after a reload, or on a server that was
started again.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from viz_core.app import session, talks
from viz_core.app.markup import markdown
from viz_core.app.share import OF_THE_STAGE
from viz_core.app.talks import Talk, TalkView, current, library
from viz_core.app.talks.read import LARGEST
from viz_core.texts import fill, texts

NAME = library.RECORDED
LEFT_OUT = (*OF_THE_STAGE, "predict")
"""Parameters of an address that a view does not keep: it has its own word for what it hides."""


def recorded() -> Talk:
    """The talk that is being recorded; without a view as long as there is none."""
    return library.find(NAME) or Talk(NAME, texts("app.lecture")["recorder"]["untitled"])


def to_keep() -> dict[str, Any]:
    """For the browser: whether something is recorded, and after each change the text of its file, "" without a view."""
    return {"is_there": library.find(NAME) is not None, "text": session.pending("_recorded_text")}


def restore(file: str) -> None:
    """What a browser has kept, unless something is recorded here already."""
    if library.find(NAME) is not None or len(file) > LARGEST:
        return
    pages = [*session.tour()]
    talk, problems = talks.loads(file, NAME, pages, library.parameters(pages))
    if talk.views:
        library.own(talk, problems)
        _other_views()
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
    session.change(_recorded_text=talks.dumps(talk) if talk.views else "")


def _other_views() -> None:
    """Another view may stand at the same place, whose fields are others: what was typed into the old ones is not its."""
    session.change(_rec_fields=session.get("_rec_fields", 0) + 1)
