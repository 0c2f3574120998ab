"""What a browser keeps of its reader's own talks, recorded or opened: the text of each file, by the name of the talk.

It hands them back to a session that has none: after a reload, or on a server that was started again. A cookie says which talks it
keeps, so that the first run of a session knows whether a link means one of them.
"""

from typing import Any
from urllib.parse import urlsplit

import streamlit as st

from viz_core.app import session, talks
from viz_core.app.talks import library
from viz_core.app.talks.read import LARGEST

COOKIE = "viz_talks"
"""With the port behind it, as servers on one machine share their cookies (`kept_talks.ts`)."""
MOST = 12
"""Talks that a browser keeps."""


def keep(name: str, text: str) -> None:
    """From now on the browser keeps this text of a talk's file; "" lets the talk go."""
    session.change(_to_keep={**session.get("_to_keep", {}), name: text})


def payload() -> dict[str, Any]:
    """For the browser: {here: the names of the talks that this session has, changed: name → text, awaited: a name or None}."""
    awaited = session.get("_awaited")
    return {
        "here": [*session.get("_own_talks", {})],
        "changed": session.pending("_to_keep") or {},
        "awaited": awaited["talk"] if awaited else None,
    }


def await_talk(name: str | None) -> bool:
    """Whether the browser is going to hand back the talk that a link names: the link is then shown again once it has."""
    is_kept = name is not None and (name == library.RECORDED or name in _names())
    is_awaited = is_kept and name not in session.get("_own_talks", {}) and not session.get("_handed_back")
    link = session.link() if session.is_link() else session.get("_awaited")
    session.change(_awaited=link if is_awaited else None)
    return is_awaited


def keep_link() -> None:
    """Until then the address goes on naming the talk: another reload may come."""
    for name, value in (session.get("_awaited") or {}).items():
        if name in ("talk", "at"):
            session.keep(name, value)


def restore(message: Any) -> None:
    """What a browser hands back, of which nothing can be trusted: a list of [name, text]. A talk that is here already stays."""
    pages = session.tour()
    for each in message[:MOST] if isinstance(message, list) else ():
        if not (isinstance(each, list) and len(each) == 2 and all(isinstance(part, str) for part in each)):
            continue
        name, text = each
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
