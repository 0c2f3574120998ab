"""The reader's own talks, recorded or opened, kept by the browser: name of the talk → text of its file.

The browser hands them back to a new session, after a reload or a restart of the server. A cookie lists them, so that the first run
of a session knows whether a link means one of them.
"""

from typing import Any
from urllib.parse import urlsplit

import streamlit as st

from viz_core.app import session, talks
from viz_core.app.talks import library
from viz_core.app.talks.read import LARGEST

COOKIE = "viz_talks"
"""Followed by the port, since servers on one machine share cookies (`menu.tsx`)."""
MOST = 12
"""Talks that a browser keeps."""


def keep(name: str, text: str) -> None:
    """Makes the browser keep the text of a talk's file; "" removes the talk."""
    session.change(_to_keep={**session.get("_to_keep", {}), name: text})


def payload() -> dict[str, Any]:
    """For the browser: {here: names of this session's talks, changed: name → text, awaited: a name or None}."""
    awaited = session.get("_awaited")
    return {
        "here": [*session.get("_own_talks", {})],
        "changed": session.pending("_to_keep") or {},
        "awaited": awaited["talk"] if awaited else None,
    }


def await_talk(name: str | None) -> bool:
    """Whether the browser still has to return the talk that a link names; the link is followed again once it has."""
    is_kept = name is not None and (name == library.RECORDED or name in _names())
    is_awaited = is_kept and name not in session.get("_own_talks", {}) and not session.get("_handed_back")
    link = session.link() if session.is_link() else session.get("_awaited")
    session.change(_awaited=link if is_awaited else None)
    return is_awaited


def keep_link() -> None:
    """Keeps an awaited talk in the address, in case of another reload."""
    for name, value in (session.get("_awaited") or {}).items():
        if name in ("talk", "at"):
            session.keep(name, value)


def restore(message: Any) -> None:
    """Takes back a browser's talks, an untrusted list of [name, text]. Talks of this session stay."""
    pages = session.tour()
    for entry in message[:MOST] if isinstance(message, list) else ():
        if not (isinstance(entry, list) and len(entry) == 2 and all(isinstance(part, str) for part in entry)):
            continue
        name, text = entry
        is_new = talks.file_name(name) == f"{name}.toml" and name not in session.get("_own_talks", {})
        if is_new and len(text) <= LARGEST:
            talk, problems = talks.loads(text, name, pages, library.parameters(pages))
            if talk.views:
                library.own(talk, problems)
    session.change(_handed_back=True)
    if link := session.pop("_awaited"):
        session.visit(link)


def _names() -> list[str]:
    port = urlsplit(st.context.url or "").port
    return st.context.cookies.get(f"{COOKIE}_{port or ''}", "").split(".")
