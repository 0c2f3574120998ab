"""The language of a session: the reader's choice, that of the link, or at first that of the browser."""

from typing import Any

import streamlit as st

from viz_core.app import session
from viz_core.texts import DEFAULT_LANGUAGE, language, languages, speak, texts, texts_in

COOKIE = "viz_lang"
"""In which the browser keeps what its reader has chosen (`rail.tsx`)."""


def sync_from_url() -> None:
    """The language of the app as the address asks for it, and into the address.

    It is left out of the address only where every browser that is asked in English opens it in English anyway.
    """
    first = _of_browser()
    speak(session.linked("lang", (first, *languages())))
    session.keep("lang", language(), DEFAULT_LANGUAGE if first == DEFAULT_LANGUAGE else "")


def spoken() -> dict[str, Any]:
    """For the browser: every language under its own name, the one that is spoken, and what parts its sentences."""
    names = [(code, texts_in("app.frame", code)["language"]) for code in languages()]
    return {"languages": names, "language": language(), "comma": texts("joined")["clause"]}


def replaced() -> dict[str, str]:
    """Streamlit's own words → what stands in their place; nothing in English."""
    own, now = texts_in("app.frame", DEFAULT_LANGUAGE)["streamlit"], texts("app.frame")["streamlit"]
    return {own[name]: now[name] for name in own if own[name] != now[name]}


def _of_browser() -> str:
    """What the reader chose in this browser before, or the browser's own language; English where the app does not speak it."""
    asked = (st.context.cookies.get(COOKIE), (st.context.locale or "").split("-")[0].lower())
    return next((each for each in asked if each in languages()), DEFAULT_LANGUAGE)
