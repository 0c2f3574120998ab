"""The list of talks, behind a button at the foot of every page."""

import functools
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import streamlit as st

from viz_core.app import session, talks
from viz_core.app.components import connect
from viz_core.app.markup import markdown
from viz_core.app.page import Page
from viz_core.app.talks import Talk, current, in_browser, library, mistakes
from viz_core.app.talks.recorded import recorder
from viz_core.text_lines import encoding_of
from viz_core.texts import enumerated, fill, texts


def panel(this: Page) -> None:
    """The button at the foot of a page, and two tabs behind it: give a talk, or record one."""
    words = texts("app.lecture")
    button = st.popover(words["title"], icon=":material/co_present:", width="content", key=_key(this.name), on_change="rerun")
    if not button.open:
        return
    with button:
        give, record = st.tabs([words["give"], words["record"]])
        with give:
            if now := current.running_talk():
                values = {"title": markdown(now.talk.title), "at": now.at + 1, "views": len(now.talk.views)}
                st.markdown(fill(words["on"], values))
            else:
                st.markdown(words["lead"])
            _list(this.name)
            if now and now.talk.name in talks.available():
                st.caption(fill(words["as_file"], {"name": now.talk.name}))
            _upload()
        with record:
            recorder(this, functools.partial(_begin, this.name))


def _key(page: str) -> str:
    return f"_talks_of_{page}"


def _list(page: str) -> None:
    """Each talk with its length, and the buttons that start it."""
    words, known = texts("app.lecture"), library.known()
    if not known:
        st.markdown(words["none"])
        return
    data = listed({name: talk for name, (talk, _) in known.items()})
    connect("talk_list", data, ("start",), functools.partial(_start, page), key="_talks")
    for one, problems in known.values():
        if problems:
            st.warning(mistakes.problem_list(one.title, problems))


def _start(page: str, _: str, message: Any) -> None:
    """Starts the talk that the browser asks for; the message cannot be trusted."""
    name, lecture = (message.get("name"), message.get("lecture")) if isinstance(message, dict) else (None, None)
    if isinstance(name, str) and name in library.known():
        _begin(page, name, 0, lecture=lecture is True)


def _begin(page: str, name: str, at: int, *, lecture: bool = False) -> None:
    """Starts a talk from this page, and closes the panel, which would stay open over a view on the same page."""
    session.change(**{_key(page): False})
    current.show(name, at, lecture=lecture)


def listed(known: Mapping[str, Talk]) -> dict[str, Any]:
    """Talks by name, for the part that lists them."""
    entries = [
        {
            "name": name, "title": talk.title, "size": _size(talk), "about": talk.about, "starts": bool(talk.views),
            "is_lesson": talk.is_lesson,
        }
        for name, talk in known.items()
    ]  # fmt: skip
    return {"talks": entries}


def _size(one: Talk) -> str:
    words = texts("app.lecture")
    parts = [fill(words["minutes"], {"minutes": f"{one.minutes:g}"})] if one.minutes else []
    return enumerated([*parts, words["one_view"] if len(one.views) == 1 else fill(words["views"], {"views": len(one.views)})])


def _upload() -> None:
    words = texts("app.lecture")
    st.file_uploader(words["upload"], type="toml", max_upload_size=1, key="_talk_file", on_change=_take_file)
    st.caption(words["upload_kept"])
    for name, (one, _) in session.get("_own_talks", {}).items():
        if name != library.RECORDED:
            st.button(fill(words["close"], {"title": markdown(one.title)}), key=f"_close_{name}", on_click=_close, args=(name,))


def _close(name: str) -> None:
    """Removes an opened talk, also from the browser."""
    library.close(name)
    in_browser.keep(name, "")


def _take_file() -> None:
    """Adds the opened file as a talk of this session, and lets the browser keep it."""
    file = session.get("_talk_file")
    if file is None:
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / _file_name(Path(file.name).stem)
        path.write_bytes(file.getvalue())
        talk, problems = library.load(path)
    library.own(talk, problems)
    if talk.views:
        content = file.getvalue()
        in_browser.keep(talk.name, content.decode(encoding_of(content)))


def _file_name(stem: str) -> str:
    """A name for an opened file that differs from the name of the talk being recorded."""
    name = talks.file_name(stem)
    return name if name != f"{library.RECORDED}.toml" else talks.file_name(f"{stem}-file")
