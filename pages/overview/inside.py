"""Where the browser finds what an open block shows."""

from __future__ import annotations

from viz_core.app import session
from viz_core.app.inside_file import inside_address
from viz_core.explain import Explanation


def address_for(explanation: Explanation) -> str:
    """The address of a sentence's file; none once this session's browser has asked for it in vain, as the server had forgotten the
    sentence: it is sent everything then, and has nothing left to ask for.
    """
    return "" if session.get("_asked_in_vain") == explanation.source.text else inside_address(explanation)


def hear_missing(text: str, *_: object) -> None:
    """The browser has asked for the inside of this sentence in vain."""
    session.change(_asked_in_vain=text)
