"""Browser-side parts on a page, mounted by Streamlit. A part's payload is sent when it changes; its messages come back."""

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

import streamlit as st

from viz_core.app import session
from viz_core.app.server import loader
from viz_core.texts import DEFAULT_LANGUAGE, language

FOLLOWING = ("access", "rail")
"""Parts that write their words with each run; in whatever language, they are the same part."""
Hear = Callable[[str, Any], None]
"""Called with (event, message) of a browser. The message may be anything; it is None where it was lost between two pages."""


def show(
    name: str,
    payload: bytes,
    key: str | None = None,
    *,
    in_page: bool = False,
) -> None:
    """A part that shows a payload; another key is another part, remounted.

    Args:
        in_page: whether the page's own style sheets hold for it, as for text with formulas.
    """
    key = part_key(name, key)
    _component(name, loader(name), in_page)(key=key, data=payload)


def connect(
    name: str,
    data: Mapping[str, Any],
    events: Sequence[str] = (),
    hear: Hear | None = None,
    key: str | None = None,
    *,
    in_page: bool = False,
    width: int | Literal["stretch", "content"] = "stretch",
) -> None:
    """A part that takes a few words and values, and may send messages.

    Args:
        data: what the part takes, as JSON.
        events: names of the messages that it may send.
        key: of a part that a page may have twice.
        in_page: as of `show`.
    """
    key = part_key(name, key)
    # As a list: in a dict Streamlit looks for tables, with pandas, which takes half a second to load.
    _component(name, loader(name), in_page)(key=key, data=[dict(data)], width=width, **_callbacks(key, events, hear))


def part_key(name: str, key: str | None = None) -> str:
    """What Streamlit knows a part by. In another language it is another part, mounted anew: most write their words only once."""
    key = key or f"_part_{name}"
    return key if name in FOLLOWING or language() == DEFAULT_LANGUAGE else f"{key}_{language()}"


def _callbacks(key: str, events: Sequence[str], hear: Hear | None) -> dict[str, Any]:
    def pass_on(event: str) -> None:
        if hear is not None:
            hear(event, session.heard(key, event))

    return {f"on_{event}_change": functools.partial(pass_on, event) for event in events}


@functools.cache
def _component(name: str, js: str, in_page: bool = False) -> Any:
    page_class = f"viz-{name.replace('_', '-')}"
    html = f'<div class="viz-part {page_class}"></div>'
    return st.components.v2.component(f"viz_core_{name}", html=html, js=js, isolate_styles=not in_page)
