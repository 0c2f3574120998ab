"""Recording a talk: views are added, put in order and edited in place, and the talk is downloaded as its TOML file."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from viz_core.app import session, talks
from viz_core.app.page import Page
from viz_core.app.talks import Talk, library, recorded
from viz_core.app.talks.blocks import LONGEST_CAPTION
from viz_core.app.talks.talk import HIDE
from viz_core.texts import texts


def recorder(this: Page, begin: Callable[[str, int], None]) -> None:
    """The controls: the views so far, to be edited, moved, removed and played; add this view; the download.

    Args:
        begin: starts a talk, by its name, at one of its views.
    """
    words, mine = texts("app.lecture")["recorder"], recorded.recorded()
    st.markdown(words["lead"])
    if mine.views:
        _views(mine, begin)
        st.divider()
    else:
        st.markdown(words["empty"])
    st.text_input(words["add_title"], key="_rec_title", placeholder=this.texts["title"], max_chars=200, persist_state="session")
    st.text_area(words["add_note"], key="_rec_note", height=90, max_chars=5000, persist_state="session")
    st.segmented_control(
        words["hide"], HIDE, key="_rec_hide", required=True, default="", format_func=lambda hide: words[f"hide_{hide}"],
        persist_state="session",
    )  # fmt: skip
    st.button(words["add"], on_click=_add, args=(this.name,), type="primary", icon=":material/add:")
    if message := session.pending("_rec_message"):
        st.success(message, icon=":material/check:")
    copied = {name: one.title for name, (one, _) in library.known().items() if name != recorded.NAME}
    st.selectbox(
        words["copy"], list(copied), index=None, key="_rec_copy", on_change=lambda: recorded.copy(session.get("_rec_copy")),
        placeholder=words["copy_pick"], format_func=copied.__getitem__,
    )  # fmt: skip


def _views(mine: Talk, begin: Callable[[str, int], None]) -> None:
    words = texts("app.lecture")["recorder"]
    numbers = range(len(mine.views))
    if (session.get("_rec_at") or 0) not in numbers:
        session.change(_rec_at=numbers[-1])
    at = st.selectbox(words["views"], numbers, key="_rec_at", format_func=lambda i: f"{i + 1}  {mine.views[i].title}")
    up, down, remove, play = st.columns(4)
    last = at == numbers[-1]
    up.button(words["up"], key="_rec_up", disabled=at == 0, on_click=recorded.move, args=(at, -1), width="stretch")
    down.button(words["down"], key="_rec_down", disabled=last, on_click=recorded.move, args=(at, 1), width="stretch")
    remove.button(words["remove"], key="_rec_remove", on_click=recorded.remove, args=(at,), width="stretch")
    play.button(words["play"], key="_rec_play", on_click=begin, args=(recorded.NAME, at), width="stretch")
    _edit(mine, at)
    name = st.text_input(words["name"], value=mine.title, key="_rec_name", max_chars=200)
    if name != mine.title:
        recorded.rename(name)
    st.markdown(words["kept"])
    st.download_button(
        words["download"], talks.dumps(mine), talks.file_name(mine.title), "application/toml", on_click="ignore",
        icon=":material/download:",
    )  # fmt: skip


def _edit(mine: Talk, at: int) -> None:
    """The texts of one view, edited where they stand. Another view has other fields: Streamlit would else keep what was typed."""
    words, view = texts("app.lecture")["recorder"], mine.views[at]
    of = f"{session.get('_rec_fields')}_{at}"

    def typed(name: str, field: Callable[..., str], **how: Any) -> str:
        return field(words[f"edit_{name}"], getattr(view, name), key=f"_rec_{name}_{of}", **how).strip()

    minutes = st.number_input(words["edit_minutes"], 0.0, 1440.0, view.minutes, 0.5, key=f"_rec_minutes_{of}", width=160)
    given = {
        "title": typed("title", st.text_input, max_chars=200) or view.title,
        "caption": typed("caption", st.text_input, max_chars=LONGEST_CAPTION),
        "note": typed("note", st.text_area, height=120),
        "minutes": minutes or None,
    }
    changed = {name: value for name, value in given.items() if value != getattr(view, name)}
    if changed:
        recorded.edit(at, **changed)
        st.rerun()  # the list above shows the title


def _add(page: str) -> None:
    given, note = (session.get("_rec_title") or "").strip(), (session.get("_rec_note") or "").strip()
    message = recorded.add(page, given, note, session.get("_rec_hide") or "")
    session.change(_rec_title="", _rec_note="", _rec_message=message)
