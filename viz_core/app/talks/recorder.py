"""Controls for recording a talk: add views, order and edit them in place, and download the talk as a TOML file."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from viz_core.app import session, talks
from viz_core.app.page import Page
from viz_core.app.talks import Talk, TalkView, library, recorded
from viz_core.app.talks.blocks import LONGEST_CAPTION
from viz_core.browser.prediction import hidden_on
from viz_core.texts import texts


def recorder(this: Page, begin: Callable[[str, int], None]) -> None:
    """The views so far, to edit, move, remove and play; the current view, to add; and the download.

    Args:
        begin: starts a talk, by its name, at one of its views.
    """
    words, mine = texts("app.lecture")["recorder"], recorded.recorded()
    st.markdown(words["lead"])
    if (picked := recorded.picked()) is not None:
        _views(mine, picked, begin)
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
    copied = {name: one.title for name, (one, _) in library.known().items() if name != recorded.NAME}
    st.selectbox(
        words["copy"], list(copied), index=None, key="_rec_copy", on_change=lambda: recorded.copy(session.get("_rec_copy")),
        placeholder=words["copy_pick"], format_func=copied.__getitem__,
    )  # fmt: skip


def _views(mine: Talk, picked: int, begin: Callable[[str, int], None]) -> None:
    words, view = texts("app.lecture")["recorder"], mine.views[picked]
    labels = {view.key: f"{number}  {view.title}" for number, view in enumerate(mine.views, 1)}
    # The browser sends the picked label, so other labels need another key: it may not know the new ones yet.
    widget = f"_rec_list_{hash(tuple(labels.items()))}"
    st.selectbox(
        words["views"], list(labels), picked, key=widget, format_func=labels.__getitem__, on_change=recorded.pick, args=(widget,)
    )
    up, down, remove, play = st.columns(4)
    last = picked == len(labels) - 1
    up.button(words["up"], key="_rec_up", disabled=picked == 0, on_click=recorded.move, args=(view.key, -1), width="stretch")
    down.button(words["down"], key="_rec_down", disabled=last, on_click=recorded.move, args=(view.key, 1), width="stretch")
    remove.button(words["remove"], key="_rec_remove", on_click=recorded.remove, args=(view.key,), width="stretch")
    play.button(words["play"], key="_rec_play", on_click=begin, args=(recorded.NAME, picked), width="stretch")
    _edit(view)
    _field(st.text_input, "name", "_rec_name", mine.title, recorded.rename, "_rec_name", max_chars=200)
    st.markdown(words["kept"])
    st.download_button(
        words["download"], talks.dumps(mine), talks.file_name(mine.title), "application/toml", on_click="ignore",
        icon=":material/download:",
    )  # fmt: skip


def _edit(view: TalkView) -> None:
    """Fields for the texts of one view. A callback takes each change, before a run can be interrupted."""

    def field(draw: Callable[..., Any], name: str, **how: Any) -> None:
        widget = f"_rec_{name}_{view.key}"
        _field(draw, f"edit_{name}", widget, getattr(view, name), recorded.edit, view.key, name, widget, **how)

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
