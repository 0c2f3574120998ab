"""Addresses of no page: they lead to the overview, which says so and offers the pages that are spelt most like them.

Streamlit answers each with its own page. Below a folder that does not exist this page finds none of its files and stays blank;
elsewhere it shows the overview without a word, so the server redirects both.
"""

import re
from collections.abc import Collection
from difflib import SequenceMatcher
from functools import cache
from pathlib import Path
from urllib.parse import quote

from starlette.datastructures import Headers
from starlette.responses import FileResponse, RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.file_util import get_static_dir

from viz_core.app.base_path import below_base

PARAMETER = "no_page"
"""Holds the path that was asked for, until the overview has said so."""
HOME_NAMES = ("", "overview", "index.html")
"""What the first page may be called."""
LONGEST = 80
"""Characters of an address that are quoted."""
ALIKE = 0.5
MOST = 3
"""Pages that are offered, of those that are at least so alike."""


class UnknownAddresses:
    """Middleware that redirects what a browser opens and no page, file or route answers. pages: the names of the pages."""

    def __init__(self, app: ASGIApp, pages: Collection[str]) -> None:
        self._app, self._known = app, {"", *pages} - {"overview"}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        base = below_base("")
        path: str = scope.get("path", "")
        asked = path.removeprefix(base)
        if scope["type"] != "http" or scope["method"] not in ("GET", "HEAD") or not path.startswith(base) or asked in self._known:
            await self._app(scope, receive, send)
            return
        lost = False

        async def answer(message: Message) -> None:
            nonlocal lost
            if message["type"] == "http.response.start" and _is_lost(scope, message):
                lost = True
                await _to_overview(base, asked, scope)(scope, receive, send)
            elif not lost:
                await send(message)

        await self._app(scope, receive, answer)


def _is_lost(scope: Scope, start: Message) -> bool:
    """Whether the answer is Streamlit's own page, or one that says to a reader that there is nothing."""
    if Headers(raw=start["headers"]).get("etag") == _own_page():
        return True
    return start["status"] in (400, 404) and "text/html" in Headers(scope=scope).get("accept", "")


@cache
def _own_page() -> str:
    """The tag by which Streamlit's page is known, whether it comes whole, compressed or not at all (304)."""
    index = Path(get_static_dir(), "index.html")
    return FileResponse(index, stat_result=index.stat()).headers["etag"]


def _to_overview(base: str, asked: str, scope: Scope) -> RedirectResponse:
    """With all parameters, so that sentence, step and so on are kept."""
    name = asked.strip("/")
    said = [] if name.lower() in HOME_NAMES else [f"{PARAMETER}={quote(name[:LONGEST], safe='')}"]
    query = "&".join([*said, *filter(None, [scope["query_string"].decode("latin-1")])])
    return RedirectResponse(f"{base}?{query}" if query else base, 302, {"Cache-Control": "no-store"})


def nearest(asked: str, pages: Collection[str]) -> list[str]:
    """The pages that are spelt most like the address, or like a part of it, the nearest first."""
    parts = [re.sub(r"[- ]", "_", part.lower()) for part in re.split(r"[/\\.]+", asked) if part]
    alike = {
        name: max((SequenceMatcher(None, name, part).ratio() for part in parts), default=0.0)
        for name in pages
        if name != "overview"
    }
    near = sorted((name for name in alike if alike[name] >= ALIKE), key=lambda name: -alike[name])[:MOST]
    return near[:1] if near and alike[near[0]] == 1 else near
