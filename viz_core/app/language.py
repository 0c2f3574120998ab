"""The language of a session: from the link, the reader's earlier choice, or the browser's settings."""

from typing import Any

import streamlit as st

from viz_core.app import session
from viz_core.texts import DEFAULT_LANGUAGE, language, languages, speak, texts, texts_in

COOKIE = "viz_lang"
"""Keeps the reader's choice in the browser (`rail.tsx`)."""


def sync_from_url() -> None:
    """Takes the app's language from the address, and writes it there.

    English is left out of the address only if this browser would open the app in English anyway.
    """
    first = _of_browser()
    speak(session.linked("lang", (first, *languages())))
    session.keep("lang", language(), DEFAULT_LANGUAGE if first == DEFAULT_LANGUAGE else "")


def spoken() -> dict[str, Any]:
    """For the browser: every language under its own name, and the current one."""
    names = [(code, texts_in("app.frame", code)["language"]) for code in languages()]
    return {"languages": names, "language": language()}


def replaced() -> dict[str, str]:
    """Streamlit's own words → their replacements; none in English."""
    own, now = texts_in("app.frame", DEFAULT_LANGUAGE)["streamlit"], texts("app.frame")["streamlit"]
    return {own[name]: now[name] for name in own if own[name] != now[name]}


def _of_browser() -> str:
    """The reader's earlier choice in this browser, else the browser's own language; English if the app has neither."""
    wanted = (st.context.cookies.get(COOKIE), (st.context.locale or "").split("-")[0].lower())
    return next((code for code in wanted if code in languages()), DEFAULT_LANGUAGE)
