"""The remote control and the token strip, on every page. The remote alone tells Python what the browser's parts show."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import streamlit as st

from viz_core.browser.bundle import bundle, css

_remote = st.components.v2.component(
    "viz_core_player",
    html='<div class="viz-player"></div><div class="viz-bar"></div><div class="viz-covers"></div>',
    css=css("player"),
    js=bundle("player/main.js"),
)
_strip = st.components.v2.component(
    "viz_core_token_strip", html='<div class="viz-token-strip"></div>', css=css("token_strip"), js=bundle("token_strip/main.js")
)
_share = st.components.v2.component(
    "viz_core_share", html='<div class="viz-share"></div>', css=css("share"), js=bundle("share/main.js")
)


def show_remote(data: Mapping[str, Any], hear: Callable[[str, Any], None]) -> None:
    """Step, play, keys; `data` is what `store.adopt` takes, with theme and texts.

    Args:
        hear: called with (name, value): `view` when what is looked at has settled, `go` to another page, `talk` to a view of it,
            `trained` to a kept step of the training. value is None where it was lost on the way.
    """
    names = ("view", "go", "talk", "trained")
    heard: dict[str, Any] = {f"on_{name}_change": partial(_pass_on, name, hear) for name in names}
    _remote(key="_remote", data=_whole(data), **heard)


def show_strip(data: Mapping[str, Any]) -> None:
    """Source and target: {source, target: [[text, word or None], …], languages, texts}."""
    _strip(key="_strip", data=_whole(data))


def show_share(data: Mapping[str, Any]) -> None:
    """Gives the page the link to this view: what `mountCovers` shows of it, and whether the address is written."""
    _share(key="_share", data=_whole(data))


def _whole(data: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What the browser gets as `[data]`. In a dict, Streamlit looks for tables, with pandas: half a second until that is loaded."""
    return [dict(data)]


def _pass_on(name: str, hear: Callable[[str, Any], None]) -> None:
    remote = st.session_state.get("_remote")  # Streamlit forgets it for a moment while one page follows another
    hear(name, None if remote is None else remote.get(name))
