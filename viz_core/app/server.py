"""What the server does beside running the script: it loads the models while the first browser loads, gives out the bundle, and
collects garbage.

All that runs in the browser is one file that browsers keep, so that neither a run of the script nor another page sends it again.
"""

import functools
import gc
import gzip
import hashlib
import itertools
import json
import os
import secrets
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from plotly.offline import get_plotlyjs
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from viz_core.app import answers
from viz_core.app.base_path import below_base
from viz_core.app.malloc import give_back_freed_memory
from viz_core.browser.bundle import APP, policy

# torch, which is loaded later, has one thread for each pass: with two, twenty sessions that decode together collapse, and the same
# pass twice may differ in the last digit. What `torch.set_num_threads` says does not hold in threads that begin later.
os.environ.setdefault("OMP_NUM_THREADS", "1")

FOR_GOOD = "public, max-age=31536000, immutable"
"""Of an address under which nothing ever changes."""
BUNDLE, PLOTLY = "app", "plotly"
"""What the bundle and plotly's script are called among the files for the browser."""
FIRST = 10.0
"""Seconds in which the first page comes, before what is needed later is loaded."""
EVERY, BACK_EVERY, ALL_EVERY = 1.0, 20.0, 120.0
"""Seconds between two collections of garbage; between two times at which freed memory goes back to the system; and between two
collections that look at everything."""

NOTES = """
const NOTES = Symbol.for("viz_core.notes");
const show = () => {
  try {
    opener[NOTES]?.(window);
  } catch {} // closed, or elsewhere by now
};
show();
setInterval(show, 250);
"""
"""All that the notes window does for itself: it asks the window of the talk, which may have been reloaded, to write into it."""

_loaded = threading.Event()
PROCESS = secrets.token_hex(8)
"""A name for this process."""

# Streamlit runs this text for a part.
_LOADER = """const {{ part }} = await import(new URL({address}, location.origin));
export default part({name});
"""


def loader(name: str) -> str:
    """What Streamlit runs for a part; another text once the bundle is built anew."""
    return _LOADER.format(address=json.dumps(_address(BUNDLE)), name=json.dumps(name))


def plotly_address() -> str:
    """Where the browser finds plotly's own script."""
    return _address(PLOTLY)


def routes() -> list[Route]:
    """What the server answers beside what Streamlit does."""
    return [
        Route(below_base("parts/{name}.js"), _send),
        answers.route(),
        Route(below_base("ready"), _ready),
        Route(notes_path(), _notes),
        Route(alive_path(), _alive),
    ]


def notes_path() -> str:
    """Where the page of the notes window is, which a reload brings again."""
    return below_base("parts/notes")


def alive_path() -> str:
    """Where this process says which one it is, as long as it is there: sessions are of one process."""
    return below_base("parts/alive")


@asynccontextmanager
async def lifespan(_: object) -> AsyncIterator[dict[str, Any]]:
    """From the start of the server to its end: nobody who comes soon after the start waits for all of the loading."""
    over = threading.Event()
    threading.Thread(target=_prepare, args=(over,), name="prepare", daemon=True).start()
    yield {}
    over.set()


def _prepare(over: threading.Event) -> None:
    gc.disable()  # all that is imported stays: to look through it time and again would take a fifth of the start
    from viz_core.app import frame, models  # noqa: F401 - which takes seconds

    models.verify_later()
    _loaded.set()
    over.wait(FIRST)
    gc.enable()
    models.prepare()
    import torch._dynamo  # noqa: F401 - the first training would load it: a hundred thousand objects, see below

    _collect(over)


def _collect(over: threading.Event) -> None:
    """Collects garbage now and then, and freezes what is left, until the event.

    Streamlit would do it after each run of the script (`postScriptGC` in .streamlit/config.toml), which takes longer than the run:
    it looks at all that is not frozen, such as the modules, the models and the sentences that are kept.
    """
    for turn in itertools.count():
        if turn % round(ALL_EVERY / EVERY) == 0:
            gc.unfreeze()  # sessions that have ended since are garbage by now
        gc.collect()
        gc.freeze()
        if turn % round(BACK_EVERY / EVERY) == 0:
            give_back_freed_memory()
        if over.wait(EVERY):
            return


def _ready(_: Request) -> Response:
    return Response(status_code=200 if _loaded.is_set() else 503)


def _alive(_: Request) -> Response:
    return Response(PROCESS, media_type="text/plain", headers={"Cache-Control": "no-store"})


def _notes(_: Request) -> Response:
    page = f'<!doctype html><html><head><meta charset="utf-8"></head><body><script>{NOTES}</script></body></html>'
    allowed = policy([NOTES], "frame-src 'self'", "font-src 'self'", "frame-ancestors 'none'")
    return Response(page, media_type="text/html", headers={"Content-Security-Policy": allowed, "Cache-Control": "no-store"})


def _send(request: Request) -> Response:
    name = request.path_params["name"]
    if name not in (BUNDLE, PLOTLY):
        return Response(status_code=404)
    packed, digest = _script(name)
    known = request.query_params.get("of") == digest
    headers = {"Cache-Control": FOR_GOOD if known else "no-store", "Vary": "Accept-Encoding"}
    if "gzip" not in request.headers.get("Accept-Encoding", ""):
        return Response(gzip.decompress(packed), media_type="text/javascript", headers=headers)
    return Response(packed, media_type="text/javascript", headers=headers | {"Content-Encoding": "gzip"})


def _script(name: str) -> tuple[bytes, str]:
    """A script, compressed once for all, and a digest of it; the bundle is read again when it has been built anew."""
    return _packed(name, APP.stat().st_mtime_ns if name == BUNDLE else 0)


@functools.lru_cache(maxsize=2)
def _packed(name: str, _built: int) -> tuple[bytes, str]:
    text = get_plotlyjs().encode() if name == PLOTLY else APP.read_bytes()
    return gzip.compress(text, mtime=0), hashlib.sha256(text).hexdigest()[:16]


def _address(name: str) -> str:
    return below_base(f"parts/{name}.js?of={_script(name)[1]}")
