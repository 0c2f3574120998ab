"""The talk being recorded in this session: adds, moves, edits and removes its views.

The browser keeps it (`in_browser`).
"""

from dataclasses import replace
from typing import Any

from viz_core.app import session, talks
from viz_core.app.markup import markdown
from viz_core.app.talks import Talk, TalkView, in_browser, library
from viz_core.app.talks.talk import new_key
from viz_core.params import SHARED, TALK
from viz_core.texts import fill, texts

NAME = library.RECORDED
LEFT_OUT = TALK | SHARED
"""Parameters of an address that a view leaves out: it has its own field for what it hides."""


def recorded() -> Talk:
    """The talk being recorded, maybe without views."""
    return library.find(NAME) or Talk(NAME, texts("app.lecture")["recorder"]["untitled"])


def picked() -> int | None:
    """Index of the picked view, or of the first one; None without views."""
    at = _place(session.get("_rec_picked"))
    return 0 if at is None and recorded().views else at


def _place(key: int | None) -> int | None:
    return next((at for at, view in enumerate(recorded().views) if view.key == key), None)


def pick(widget: str) -> None:
    """Picks the view selected in a list, by its key."""
    session.change(_rec_picked=session.get(widget))


def add(page: str, title: str = "", note: str = "", hide: Any = "") -> str:
    """Adds the current view after the picked one, or at the end; returns a message about it.

    Args:
        hide: what the class guesses; "" for Predict's current question, if any.
    """
    address = session.link()
    if shown := session.current():  # always with the sentence: another version may have another default
        address.setdefault("text", shown.sentence.text)
    parameters = {name: value for name, value in address.items() if name not in LEFT_OUT}
    views, at = recorded().views, _place(session.get("_rec_picked"))
    behind = len(views) if at is None else at + 1
    named = title or str(texts(page)["title"])
    hidden: Any = hide or address.get("predict", "")
    view = TalkView(page, named, note, hidden, None, parameters)
    _keep((*views[:behind], view, *views[behind:]), view)
    return fill(texts("app.lecture")["recorder"]["added"], {"at": behind + 1, "title": markdown(named)})


def add_waiting(page: str) -> None:
    """At the start of a run, once the browser's view is known: adds the view requested by `_add` of the session."""
    if (added := session.pop("_add")) and added[0] == page:
        session.change(_toast=add(*added))


def move(key: int, by: int) -> None:
    """Moves a view up or down."""
    views, at = list(recorded().views), _place(key)
    if at is not None and 0 <= at + by < len(views):
        views[at], views[at + by] = views[at + by], views[at]
        _keep(tuple(views), views[at + by])


def remove(key: int) -> None:
    """Removes a view and picks the one before it."""
    if (at := _place(key)) is not None:
        views = recorded().views
        left = views[:at] + views[at + 1 :]
        _keep(left, left[max(at - 1, 0)] if left else None)


def edit(key: int, name: str, widget: str) -> None:
    """Takes a view's title, note, caption, length or hidden answer from its field."""
    if (at := _place(key)) is None:
        return
    views, typed = list(recorded().views), session.get(widget)
    value: Any = typed.strip() if isinstance(typed, str) else typed or None
    if name == "title" and not value:
        session.change(**{widget: views[at].title})
        return
    changed: dict[str, Any] = {name: value}
    views[at] = replace(views[at], **changed)
    _own(replace(recorded(), views=tuple(views)))


def rename(widget: str) -> None:
    """Takes the talk's title from its field."""
    title = (session.get(widget) or "").strip() or texts("app.lecture")["recorder"]["untitled"]
    session.change(**{widget: title})
    _own(replace(recorded(), title=title))


def copy(name: str | None) -> None:
    """Replaces the recorded talk by a copy of another talk."""
    if chosen := library.find(name):
        views = tuple(replace(view, key=new_key()) for view in chosen.views)
        _own(replace(chosen, name=NAME, views=views))
        session.change(_rec_copy=None, _rec_name=chosen.title, _rec_picked=views[0].key if views else None)


def _keep(views: tuple[TalkView, ...], pick: TalkView | None) -> None:
    """Sets the talk's views and the picked one."""
    _own(replace(recorded(), views=views))
    session.change(_rec_picked=pick.key if pick else None)


def _own(talk: Talk) -> None:
    library.own(talk, [])
    in_browser.keep(NAME, talks.dumps(talk) if talk.views else "")
