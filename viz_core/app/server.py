"""The server's work beside the script: it loads models while the first browser loads, serves the bundle, and collects garbage.

All code for the browser is one file that browsers cache, so that neither a run of the script nor another page sends it again.
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
from starlette.routing import BaseRoute, Route

from viz_core.app import answers
from viz_core.app.memory import give_back_freed_memory
from viz_core.app.site import served
from viz_core.app.streamlit_files import below_base
from viz_core.browser.bundle import DIST, policy
from viz_core.texts import languages

# One thread per pass for torch, which is loaded later: with two, twenty sessions decoding at once collapse, and the same pass may
# differ in the last digit. `torch.set_num_threads` would not hold for threads that start later.
os.environ.setdefault("OMP_NUM_THREADS", "1")

BUNDLE, PLOTLY = "app", "plotly"
"""Names of the scripts for the browser: our bundle, and plotly's."""
TEXTS = tuple(f"texts.{language}" for language in languages())
"""Those of the texts, which the bundle loads."""
FIRST, THEN = 10.0, 30.0
"""Seconds from the start until what most readers need is loaded, and from then until what few need is, such as French rules."""
EVERY, BACK_EVERY, ALL_EVERY = 1.0, 20.0, 120.0
"""Seconds between garbage collections, between returns of freed memory to the system, and between full collections."""

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
"""The notes window's only code: it asks the talk's window, which may have been reloaded, to write into it."""
NOTES_PAGE = f'<!doctype html><html><head><meta charset="utf-8"></head><body><script>{NOTES}</script></body></html>'

_loaded = threading.Event()
PROCESS = secrets.token_hex(8)
"""A name for this process."""

# Streamlit runs this text for a part.
_LOADER = """const {{ part }} = await import(new URL({address}, location.origin));
export default part({name});
"""


def loader(name: str) -> str:
    """The script that Streamlit runs for a part; it changes when the bundle is rebuilt."""
    return _LOADER.format(address=json.dumps(_address(BUNDLE)), name=json.dumps(name))


def plotly_address() -> str:
    """The address of plotly's own script."""
    return _address(PLOTLY)


def routes() -> list[BaseRoute]:
    """The server's routes beside Streamlit's."""
    return [
        Route(below_base("parts/{name}.js"), _send),
        answers.route(),
        Route(below_base("ready"), _ready),
        Route(notes_path(), _notes),
        Route(alive_path(), _alive),
        *served.routes(),
    ]


def notes_path() -> str:
    """The address of the notes window's page, which can be reloaded."""
    return below_base("parts/notes")


def alive_path() -> str:
    """The address at which this process tells its name: a session belongs to one process."""
    return below_base("parts/alive")


@asynccontextmanager
async def lifespan(_: object) -> AsyncIterator[dict[str, Any]]:
    """Loads in the background while the server runs, so that early readers do not wait for all of it."""
    over = threading.Event()
    threading.Thread(target=_prepare, args=(over,), name="prepare", daemon=True).start()
    threading.Thread(target=served.prepare, name="site", daemon=True).start()
    yield {}
    served.end()
    over.set()


def _prepare(over: threading.Event) -> None:
    gc.disable()  # imported objects stay, and scanning them repeatedly would take a fifth of the startup time
    from viz_core.app import frame, models  # noqa: F401 - takes seconds

    models.verify_later()
    _loaded.set()
    over.wait(FIRST)
    gc.enable()
    models.prepare()
    _collect(over)


def _prepare_rest() -> None:
    from viz_core.app import models

    models.prepare_languages()
    import torch._dynamo  # noqa: F401 - the first training would load it: a hundred thousand objects, frozen below


def _collect(over: threading.Event) -> None:
    """Collects garbage now and then, and freezes the rest, until the event is set. Between two turns loads what few need.

    Streamlit would collect after each run of the script (`postScriptGC` in .streamlit/config.toml), which takes longer than the
    run: it scans all that is not frozen, such as modules, models and kept sentences.
    """
    for turn in itertools.count():
        if turn == round(THEN / EVERY):
            _prepare_rest()
        if turn % round(ALL_EVERY / EVERY) == 0:
            gc.unfreeze()  # sessions that have ended meanwhile are garbage now
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
    allowed = policy([NOTES], "frame-src 'self'", "font-src 'self'", "frame-ancestors 'none'")
    return Response(NOTES_PAGE, media_type="text/html", headers={"Content-Security-Policy": allowed, "Cache-Control": "no-store"})


def _send(request: Request) -> Response:
    name = request.path_params["name"]
    if name not in (BUNDLE, PLOTLY, *TEXTS):
        return Response(status_code=404)
    packed, digest = _script(name)
    known = request.query_params.get("of") == digest
    headers = {"Cache-Control": served.FOR_GOOD if known else "no-store", "Vary": "Accept-Encoding"}
    if "gzip" not in request.headers.get("Accept-Encoding", ""):
        return Response(gzip.decompress(packed), media_type="text/javascript", headers=headers)
    return Response(packed, media_type="text/javascript", headers=headers | {"Content-Encoding": "gzip"})


def _script(name: str) -> tuple[bytes, str]:
    """A script, compressed once, and its digest; it is read again when it has been rebuilt."""
    return _packed(name, 0 if name == PLOTLY else (DIST / f"{name}.js").stat().st_mtime_ns)


@functools.lru_cache(maxsize=2 + len(TEXTS))
def _packed(name: str, _built: int) -> tuple[bytes, str]:
    text = get_plotlyjs().encode() if name == PLOTLY else (DIST / f"{name}.js").read_bytes()
    return gzip.compress(text, mtime=0), hashlib.sha256(text).hexdigest()[:16]


def _address(name: str) -> str:
    return below_base(f"parts/{name}.js?of={_script(name)[1]}")
