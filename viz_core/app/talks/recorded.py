"""The talk being recorded in this session: its views, and the controls that add, move, edit, remove and download them.

The browser keeps it (`in_browser`).
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import streamlit as st

from viz_core.app import session, talks
from viz_core.app.markup import markdown
from viz_core.app.page import Page
from viz_core.app.talks import Talk, TalkView, in_browser, library
from viz_core.app.talks.blocks import LONGEST_CAPTION
from viz_core.app.talks.talk import new_key
from viz_core.browser.prediction import hidden_on
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
    picked = _place(session.get("_rec_picked"))
    return 0 if picked is None and recorded().views else picked


def _place(key: int | None) -> int | None:
    return next((index for index, view in enumerate(recorded().views) if view.key == key), None)


def pick(widget: str) -> None:
    """Picks the view selected in a list, by its key; the browser may still send the title that the picked one had before."""
    if _place(key := session.get(widget)) is not None:
        session.change(_rec_picked=key)


def add(page: str, title: str = "", note: str = "", hide: Any = "") -> str:
    """Adds the current view after the picked one, or at the end; returns a message about it.

    Args:
        hide: what the class guesses; "" for Predict's current question, if any.
    """
    address = session.link()
    if current_view := session.current():  # always with the sentence: another version may have another default
        address.setdefault("text", current_view.sentence.text)
    parameters = {name: value for name, value in address.items() if name not in LEFT_OUT}
    views, picked = recorded().views, _place(session.get("_rec_picked"))
    behind = len(views) if picked is None else picked + 1
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
    views, index = list(recorded().views), _place(key)
    if index is not None and 0 <= index + by < len(views):
        views[index], views[index + by] = views[index + by], views[index]
        _keep(tuple(views), views[index + by])


def remove(key: int) -> None:
    """Removes a view and picks the one before it."""
    if (index := _place(key)) is not None:
        views = recorded().views
        left = views[:index] + views[index + 1 :]
        _keep(left, left[max(index - 1, 0)] if left else None)


def edit(key: int, name: str, widget: str) -> None:
    """Takes a view's title, note, caption, length or hidden answer from its field."""
    if (index := _place(key)) is None:
        return
    views, typed = list(recorded().views), session.get(widget)
    value: Any = typed.strip() if isinstance(typed, str) else typed or None
    if name == "title" and not value:
        session.change(**{widget: views[index].title})
        return
    changed: dict[str, Any] = {name: value}
    views[index] = replace(views[index], **changed)
    _own(replace(recorded(), views=tuple(views)))
    if name == "title":
        session.change(**{_list_of(views): key})  # so that it shows the new title


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


def recorder(this: Page, begin: Callable[[str, int], None]) -> None:
    """The views so far, to edit, move, remove and play; the current view, to add; and the download.

    Args:
        begin: starts a talk, by its name, at one of its views.
    """
    words, mine = texts("app.lecture")["recorder"], recorded()
    st.markdown(words["lead"])
    if (place := picked()) is not None:
        _views(mine, place, begin)
        st.divider()
    else:
        st.markdown(words["empty"])
    st.text_input(words["add_title"], key="_rec_title", placeholder=this.texts["title"], max_chars=200, persist_state="session")
    st.text_area(words["add_note"], key="_rec_note", height=90, max_chars=5000, persist_state="session")
    hides = ("", *hidden_on(this.name))
    if session.get("_rec_hide") not in hides:  # picked on another page
        session.change(_rec_hide="")
    st.segmented_control(
        words["hide"], hides, key="_rec_hide", required=True, format_func=lambda hide: words[f"hide_{hide}"],
        persist_state="session",
    )  # fmt: skip
    st.button(words["add"], on_click=_add, args=(this.name,), type="primary", icon=":material/add:")
    copied = {name: one.title for name, (one, _) in library.known().items() if name != NAME}
    st.selectbox(
        words["copy"], list(copied), index=None, key="_rec_copy", on_change=lambda: copy(session.get("_rec_copy")),
        placeholder=words["copy_pick"], format_func=copied.__getitem__,
    )  # fmt: skip


def _views(mine: Talk, picked: int, begin: Callable[[str, int], None]) -> None:
    words, view = texts("app.lecture")["recorder"], mine.views[picked]
    labels = {view.key: f"{number}  {view.title}" for number, view in enumerate(mine.views, 1)}
    widget = _list_of(mine.views)
    st.selectbox(words["views"], list(labels), picked, key=widget, format_func=labels.__getitem__, on_change=pick, args=(widget,))
    up, down, out, play = st.columns(4)
    last = picked == len(labels) - 1
    up.button(words["up"], key="_rec_up", disabled=picked == 0, on_click=move, args=(view.key, -1), width="stretch")
    down.button(words["down"], key="_rec_down", disabled=last, on_click=move, args=(view.key, 1), width="stretch")
    out.button(words["remove"], key="_rec_remove", on_click=remove, args=(view.key,), width="stretch")
    play.button(words["play"], key="_rec_play", on_click=begin, args=(NAME, picked), width="stretch")
    _edit(view)
    _field(st.text_input, "name", "_rec_name", mine.title, rename, "_rec_name", max_chars=200)
    st.markdown(words["kept"])
    st.download_button(
        words["download"], talks.dumps(mine), talks.file_name(mine.title), "application/toml", on_click="ignore",
        icon=":material/download:",
    )  # fmt: skip


def _list_of(views: Iterable[TalkView]) -> str:
    """Streamlit's key of the list: the browser sends the picked label, so another order needs another list, another title none."""
    return f"_rec_list_{hash(tuple(view.key for view in views))}"


def _edit(view: TalkView) -> None:
    """Fields for the texts of one view. A callback takes each change, before a run can be interrupted."""

    def field(draw: Callable[..., Any], name: str, **how: Any) -> None:
        widget = f"_rec_{name}_{view.key}"
        _field(draw, f"edit_{name}", widget, getattr(view, name), edit, view.key, name, widget, **how)

    words = texts("app.lecture")["recorder"]
    field(st.number_input, "minutes", min_value=0.0, max_value=1440.0, value=None, step=0.5, width=160)
    field(st.text_input, "title", max_chars=200)
    field(st.text_input, "caption", max_chars=LONGEST_CAPTION)
    field(st.text_area, "note", height=120)
    field(
        st.segmented_control,
        "hide",
        options=("", *hidden_on(view.page)),
        required=True,
        format_func=lambda hide: words[f"hide_{hide}"],
    )


def _field(
    draw: Callable[..., Any], label: str, widget: str, first: Any, heard: Callable[..., None], *args: Any, **how: Any
) -> None:
    """A field with an initial value; `heard` is called with each change."""
    if session.get(widget) is None and first is not None:
        session.change(**{widget: first})
    draw(texts("app.lecture")["recorder"][label], key=widget, on_change=heard, args=args, **how)


def _add(page: str) -> None:
    given, note = (session.get("_rec_title") or "").strip(), (session.get("_rec_note") or "").strip()
    session.change(_rec_title="", _rec_note="", _add=(page, given, note, session.get("_rec_hide") or ""))
