"""What an open block of the overview shows, as a file: the browser fetches it when it is needed, and no message carries it."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary, WeakValueDictionary

import streamlit as st
from starlette.requests import Request
from starlette.responses import Response

if TYPE_CHECKING:
    from viz_core.explain import Explanation

OWN = "private, max-age=31536000, immutable"
"""What never changes, and is only for who has seen the sentence."""

_tokens: WeakKeyDictionary[Explanation, str] = WeakKeyDictionary()
_explanations: WeakValueDictionary[str, Explanation] = WeakValueDictionary()
"""Those that a page has shown, as long as somebody keeps them, by tokens that nobody can guess: sentences are nobody else's."""


def inside_address(explanation: Explanation) -> str:
    """Where the browser finds `inside_payload`."""
    token = _tokens.setdefault(explanation, secrets.token_urlsafe())
    _explanations[token] = explanation
    return f"{_folder()}{token}"


def inside_path() -> str:
    """Of all these files."""
    return f"{_folder()}{{token}}"


def send_inside(request: Request) -> Response:
    """Of one explanation; 404 where this process has none of this name, or has it no more."""
    from viz_core.app.cache import cached  # torch, which the server loads later
    from viz_core.browser.inside_payload import inside_payload

    if (explanation := _explanations.get(request.path_params["token"])) is None:
        return Response(status_code=404, headers={"Cache-Control": "no-store"})
    headers = {"Cache-Control": OWN, "Content-Encoding": "identity"}  # such numbers hardly shrink
    return Response(cached(inside_payload, explanation), media_type="application/octet-stream", headers=headers)


def _folder() -> str:
    base = st.get_option("server.baseUrlPath").strip("/")
    return f"/{base}/inside/" if base else "/inside/"
