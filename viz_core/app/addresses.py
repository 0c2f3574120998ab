"""Unknown addresses: redirects them to the overview, which says so and offers the pages with the most similar names.

Streamlit answers them with its own page. That page stays blank below a folder that does not exist, since it finds none of its
files, and silently shows the overview elsewhere.
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

from viz_core.app.streamlit_files import below_base

PARAMETER = "no_page"
"""Holds the requested path until the overview has shown its message."""
HOME_NAMES = ("", "overview", "index.html")
"""Names of the first page."""
LONGEST = 80
"""Characters of an address that a message quotes."""
ALIKE = 0.5
"""Least similarity of the pages offered."""
MOST = 3
"""How many pages are offered."""


class UnknownAddresses:
    """Middleware that redirects addresses that no page, file or route answers. pages: names of the pages."""

    def __init__(self, app: ASGIApp, pages: Collection[str]) -> None:
        self._app, self._known = app, {"", *pages} - {"overview"}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        base = below_base("")
        path: str = scope.get("path", "")
        name = path.removeprefix(base)
        if scope["type"] != "http" or scope["method"] not in ("GET", "HEAD") or not path.startswith(base) or name in self._known:
            await self._app(scope, receive, send)
            return
        lost = False

        async def answer(message: Message) -> None:
            nonlocal lost
            if message["type"] == "http.response.start" and _is_lost(scope, message):
                lost = True
                await _to_overview(base, name, scope)(scope, receive, send)
            elif not lost:
                await send(message)

        await self._app(scope, receive, answer)


def _is_lost(scope: Scope, start: Message) -> bool:
    """Whether the answer is Streamlit's own page, or tells a reader that nothing was found."""
    if Headers(raw=start["headers"]).get("etag") == _own_page():
        return True
    return start["status"] in (400, 404) and "text/html" in Headers(scope=scope).get("accept", "")


@cache
def _own_page() -> str:
    """The ETag of Streamlit's page, which is the same whether the page comes whole, compressed or not at all (304)."""
    index = Path(get_static_dir(), "index.html")
    return FileResponse(index, stat_result=index.stat()).headers["etag"]


def _to_overview(base: str, path: str, scope: Scope) -> RedirectResponse:
    """Keeps all parameters, such as sentence and step."""
    name = path.strip("/")
    unknown = [] if name.lower() in HOME_NAMES else [f"{PARAMETER}={quote(name[:LONGEST], safe='')}"]
    query = "&".join([*unknown, *filter(None, [scope["query_string"].decode("latin-1")])])
    return RedirectResponse(f"{base}?{query}" if query else base, 302, {"Cache-Control": "no-store"})


def nearest(address: str, pages: Collection[str]) -> list[str]:
    """The pages with the names most similar to an address or a part of it, the nearest first."""
    parts = [re.sub(r"[- ]", "_", part.lower()) for part in re.split(r"[/\\.]+", address) if part]
    alike = {
        name: max((SequenceMatcher(None, name, part).ratio() for part in parts), default=0.0)
        for name in pages
        if name != "overview"
    }
    near = sorted((name for name in alike if alike[name] >= ALIKE), key=lambda name: -alike[name])[:MOST]
    return near[:1] if near and alike[near[0]] == 1 else near
