"""Browser-side parts of a page, mounted by Streamlit. A part's payload is sent when it changes; its messages come back."""

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

import streamlit as st

from viz_core.app import session
from viz_core.app.server import loader
from viz_core.texts import DEFAULT_LANGUAGE, language

FOLLOWING = ("access", "rail")
"""Parts that rewrite their words with each run, so that they need no remounting in another language."""
OnMessage = Callable[[str, Any], None]
"""Called with (event, message) from a browser. The message may be anything; None if it was lost between two pages."""


def show(
    name: str,
    payload: bytes,
    key: str | None = None,
    *,
    in_page: bool = False,
) -> None:
    """Mounts a part that shows a payload; another key is another part, remounted.

    Args:
        in_page: whether the page's own style sheets apply to it, as for text with formulas.
    """
    session.record_part(name, key or name, payload, in_page)
    key = part_key(name, key)
    _component(name, loader(name), in_page)(key=key, data=payload)


def connect(
    name: str,
    data: Mapping[str, Any],
    events: Sequence[str] = (),
    on_message: OnMessage | None = None,
    key: str | None = None,
    *,
    in_page: bool = False,
    width: int | Literal["stretch", "content"] = "stretch",
) -> None:
    """Mounts a part that takes a few words and values, and may send messages.

    Args:
        data: JSON for the part.
        events: names of the messages that it may send.
        key: for a part that a page may have twice.
        in_page: see `show`.
    """
    session.record_part(name, key or name, data, in_page)
    key = part_key(name, key)
    # A list, since Streamlit searches a dict for tables with pandas, which takes half a second to load.
    _component(name, loader(name), in_page)(key=key, data=[dict(data)], width=width, **_callbacks(key, events, on_message))


def part_key(name: str, key: str | None = None) -> str:
    """Streamlit's key of a part. Another language means another part, mounted anew: most write their words only once."""
    key = key or f"_part_{name}"
    return key if name in FOLLOWING or language() == DEFAULT_LANGUAGE else f"{key}_{language()}"


def _callbacks(key: str, events: Sequence[str], on_message: OnMessage | None) -> dict[str, Any]:
    def pass_on(event: str) -> None:
        if on_message is not None:
            on_message(event, session.heard(key, event))

    return {f"on_{event}_change": functools.partial(pass_on, event) for event in events}


@functools.cache
def _component(name: str, js: str, in_page: bool = False) -> Any:
    page_class = f"viz-{name.replace('_', '-')}"
    html = f'<div class="viz-part {page_class}"></div>'
    return st.components.v2.component(f"viz_core_{name}", html=html, js=js, isolate_styles=not in_page)
