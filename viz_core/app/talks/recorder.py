"""Recording a talk: the view on display is added with a title and a note, and the talk is downloaded as its TOML file."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from viz_core.app import session, talks
from viz_core.app.markup import markdown
from viz_core.app.page import Page
from viz_core.app.share import OF_THE_STAGE
from viz_core.app.talks import Talk, TalkView, current
from viz_core.app.talks.talk import HIDE
from viz_core.texts import fill, texts

NAME = "recorded"
"""Of the recorded talk, in the address."""
LEFT_OUT = (*OF_THE_STAGE, "predict")
"""Parameters of an address that a view does not keep: it has its own word for what it hides."""


def recorder(this: Page) -> None:
    """The controls: add this view; the views so far, to be moved, removed and played; the download."""
    words, mine = texts("app.lecture")["recorder"], recorded()
    st.markdown(words["lead"])
    if mine.views:
        _views(mine)
        st.divider()
    else:
        st.markdown(words["empty"])
    st.text_input(words["add_title"], key="_rec_title", placeholder=this.texts["title"], max_chars=200, persist_state="session")
    st.text_area(words["add_note"], key="_rec_note", height=90, max_chars=5000, persist_state="session")
    st.segmented_control(
        words["hide"], HIDE, key="_rec_hide", required=True, default="", format_func=lambda hide: words[f"hide_{hide}"],
        persist_state="session",
    )  # fmt: skip
    st.button(words["add"], on_click=_add, args=(this.name, this.texts["title"]), type="primary", icon=":material/add:")
    if message := session.pending("_rec_message"):
        st.success(message, icon=":material/check:")
    copied = {name: one.title for name, (one, _) in current.known().items() if name != NAME}
    st.selectbox(
        words["copy"], list(copied), index=None, key="_rec_copy", on_change=_copy, placeholder=words["copy_pick"],
        format_func=copied.__getitem__,
    )  # fmt: skip


def recorded() -> Talk:
    """The talk that is being recorded."""
    return current.find(NAME) or Talk(NAME, texts("app.lecture")["recorder"]["untitled"])


def _views(mine: Talk) -> None:
    words = texts("app.lecture")["recorder"]
    numbers = range(len(mine.views))
    if (session.get("_rec_at") or 0) not in numbers:
        session.change(_rec_at=numbers[-1])
    at = st.selectbox(words["views"], numbers, key="_rec_at", format_func=lambda i: f"{i + 1}  {mine.views[i].title}")
    up, down, remove, play = st.columns(4)
    last = at == numbers[-1]
    up.button(words["up"], key="_rec_up", disabled=at == 0, on_click=_move, args=(at, -1), width="stretch")
    down.button(words["down"], key="_rec_down", disabled=last, on_click=_move, args=(at, 1), width="stretch")
    remove.button(words["remove"], key="_rec_remove", on_click=_remove, args=(at,), width="stretch")
    play.button(words["play"], key="_rec_play", on_click=current.show, args=(NAME, at), kwargs={"lecture": False}, width="stretch")
    st.text_input(words["name"], value=mine.title, key="_rec_name", max_chars=200, on_change=_rename)
    st.warning(words["lost"])
    st.download_button(
        words["download"], talks.dumps(mine), talks.file_name(mine.title), "application/toml", on_click="ignore",
        icon=":material/download:",
    )  # fmt: skip


def _keep(views: tuple[TalkView, ...]) -> None:
    current.own(replace(recorded(), views=views), [])


def _add(page: str, title: str) -> None:
    # The sentence in any case: another version may begin with another one.
    address = {"text": session.get("text") or ""} | session.address()
    parameters = {name: value for name, value in address.items() if name not in LEFT_OUT}
    given, note = (session.get("_rec_title") or "").strip(), (session.get("_rec_note") or "").strip()
    views = recorded().views
    _keep((*views, TalkView(page, given or title, note, session.get("_rec_hide") or "", None, parameters)))
    values = {"at": len(views) + 1, "title": markdown(given or title)}
    message = fill(texts("app.lecture")["recorder"]["added"], values)
    session.change(_rec_title="", _rec_note="", _rec_at=len(views), _rec_message=message)


def _move(at: int, by: int) -> None:
    views = list(recorded().views)
    views[at], views[at + by] = views[at + by], views[at]
    _keep(tuple(views))
    session.change(_rec_at=at + by)


def _remove(at: int) -> None:
    views = recorded().views
    _keep(views[:at] + views[at + 1 :])
    session.change(_rec_at=max(at - 1, 0))


def _rename() -> None:
    title = (session.get("_rec_name") or "").strip() or texts("app.lecture")["recorder"]["untitled"]
    current.own(replace(recorded(), title=title), [])


def _copy() -> None:
    """A copy of a whole talk takes the place of what is recorded, which the list of talks cannot show twice."""
    chosen = current.find(session.get("_rec_copy"))
    if chosen:
        current.own(replace(chosen, name=NAME), [])
        session.change(_rec_copy=None, _rec_name=chosen.title, _rec_at=0)
