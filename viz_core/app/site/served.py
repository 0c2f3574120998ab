"""How a site is served and kept: by `viz-core app --compute browser` below live/, and by the reader's browser offline.

The site is written once for each version of code and models, beside a running app, into the user's folder of caches. A service
worker with the list of all files keeps it; a manifest makes it installable.
"""

import gzip
import hashlib
import json
import logging
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path

from starlette.datastructures import Headers
from starlette.responses import FileResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import NotModifiedResponse, StaticFiles
from starlette.types import Scope

from viz_core.app.streamlit_files import below_base
from viz_core.browser.bundle import BROWSER, DIST
from viz_core.catalog import find
from viz_core.errors import CheckpointError
from viz_core.home import HOME
from viz_core.texts import texts

BY = "VIZ_COMPUTE"
MODELS_BY, LANGUAGES_BY = "VIZ_LIVE_MODELS", "VIZ_LIVE_LANGUAGES"
"""Variables that `viz-core app` sets: "browser", and the site's models and languages, joined by commas."""
FOR_GOOD = "public, max-age=31536000, immutable"
"""Cache header for an address whose content never changes."""
PACKED = {".js", ".json", ".css", ".html"}
"""Files that are compressed once; fonts and weights would hardly become smaller."""

KEPT = 4
"""Sites in the folder of caches: of other models, or of servers that still run older code."""

_running: list[subprocess.Popen[str]] = []


def is_wanted() -> bool:
    """Whether readers compute in their browsers."""
    return os.environ.get(BY) == "browser"


def models() -> list[str]:
    """The models of the site; it opens with the first."""
    return os.environ.get(MODELS_BY, "en-de").split(",")


@cache
def folder() -> Path:
    """Where the site of this code and these models is, or will be. Called before anything changes them."""
    parts = [os.environ.get(MODELS_BY, ""), os.environ.get(LANGUAGES_BY, "")]
    for root in (Path(__file__).parents[2], HOME / "pages", HOME / "talks"):
        files = (path for path in sorted(root.rglob("*")) if path.is_file() and "__pycache__" not in path.parts)
        parts += [f"{path} {path.stat().st_mtime_ns}" for path in files]
    for model in models():
        try:
            parts.append((find(model) / "config.json").read_text("utf-8"))  # which names the digests of the other files
        except (CheckpointError, OSError):
            parts.append(model)
    digest = hashlib.blake2s("\n".join(parts).encode(), digest_size=8).hexdigest()
    caches = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return caches / "viz-core" / "live" / digest


def _written() -> str:
    """Writes the site, unless it exists, in a separate process of low priority. Returns the error, or ""."""
    if folder().is_dir():
        return ""
    partial = folder().with_name(f"{folder().name}.{os.getpid()}.partial")
    chosen = ["--models", ",".join(models()), "--languages", os.environ.get(LANGUAGES_BY, "en"), "--app", "../"]
    command = [sys.executable, "-m", "viz_core", "site", "--out", str(partial), *chosen]
    try:
        reason = _run(command)
        if reason:
            return reason
        _pack(partial)
        partial.rename(folder())
        _forget_old()
    except OSError as error:
        return "" if folder().is_dir() else str(error)  # or another process was faster
    finally:
        shutil.rmtree(partial, ignore_errors=True)
    return ""


def _forget_old() -> None:
    """Deletes all but the newest sites; each has tens of megabytes."""
    newest_last = sorted(folder().parent.iterdir(), key=lambda path: path.stat().st_mtime)
    for old in newest_last[:-KEPT]:
        shutil.rmtree(old, ignore_errors=True)


def _run(command: Sequence[str]) -> str:
    """Runs a command below everything else; returns its last line if it fails."""
    path = os.pathsep.join(filter(None, [str(HOME), os.environ.get("PYTHONPATH")]))
    environment = os.environ | {BY: "", "PYTHONPATH": path}
    with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as writer:
        _running.append(writer)
        if hasattr(os, "setpriority"):
            os.setpriority(os.PRIO_PROCESS, writer.pid, 10)
        said = writer.communicate()[1].strip()
    return said.rpartition("\n")[2] if writer.returncode else ""


def end() -> None:
    """Ends what is still being written."""
    for writer in _running:
        if writer.poll() is None:
            writer.terminate()


def prepare() -> None:
    """Writes the site where it is wanted, and says what went wrong."""
    if is_wanted() and (reason := _written()):
        logging.getLogger(__name__).error("live pages: %s", reason)


def _pack(site: Path) -> None:
    """A compressed copy beside every text."""
    for path in [file for file in site.rglob("*") if file.suffix in PACKED]:
        path.with_name(f"{path.name}.gz").write_bytes(gzip.compress(path.read_bytes(), mtime=0))


def counterpart() -> dict[str, str] | None:
    """For the menu of the app: where the same view is computed in the browser."""
    if not is_wanted() or not folder().is_dir():
        return None
    from viz_core.app.chosen import DEFAULT_MODEL  # torch, which the server loads later

    return {"from": below_base(""), "to": below_base("live/"), "model": DEFAULT_MODEL, "words": texts("app.site")["here"]}


def routes() -> list[BaseRoute]:
    """The server's routes to the site, if it is wanted."""
    if not is_wanted():
        return []
    return [
        Route(below_base("live"), lambda _: RedirectResponse(below_base("live/"))),
        Mount(below_base("live"), _Site()),
    ]


class _Site(StaticFiles):
    """The files: compressed where the browser can read that, and cached for good where the address or the name has a digest."""

    def __init__(self) -> None:
        super().__init__(html=True)
        self.all_directories = [folder()]  # not there yet, maybe

    async def get_response(self, path: str, scope: Scope) -> Response:
        if not folder().is_dir():
            return Response(
                texts("app.site")["written_soon"], 503, {"Retry-After": "60", "Cache-Control": "no-store"}, "text/plain"
            )
        return await super().get_response(path, scope)

    def file_response(
        self, full_path: os.PathLike[str] | str, stat_result: os.stat_result, scope: Scope, status_code: int = 200
    ) -> Response:
        received = Headers(scope=scope)
        packed = Path(f"{full_path}.gz")
        fits = "gzip" in received.get("accept-encoding", "") and packed.exists()
        for_good = b"of=" in scope["query_string"] or Path(full_path).parent.name in ("media", "js")
        headers = {
            "Cache-Control": FOR_GOOD if for_good else "no-cache",
            "Content-Encoding": "gzip" if fits else "identity",  # so that Streamlit does not compress the weights each time
            "Vary": "Accept-Encoding",
        }
        kind = {".js": "text/javascript", ".json": "application/json"}.get(Path(full_path).suffix)
        path = packed if fits else Path(full_path)
        response = FileResponse(path, status_code, headers, kind, stat_result=path.stat())
        return NotModifiedResponse(response.headers) if self.is_not_modified(response.headers, received) else response


SCRIPT, NOTES = "sw.js", "notes.html"
ICONS = {"icon.svg": {"sizes": "any", "type": "image/svg+xml"}, "icon.png": {"sizes": "512x512", "type": "image/png"}}
# An icon in SVG would be drawn anew at each change of the address, in a document of its own that Chromium frees late.
HEAD = ('<link rel="manifest" href="{base}manifest.webmanifest">', '<link rel="icon" href="{base}icon.png">',
        '<link rel="apple-touch-icon" href="{base}icon.png">')  # fmt: skip
AT_ONCE = ("", "streamlit", "words", "talks")
"""Folders of the site that are kept at the first visit; others are kept when one of their files is used."""


def write_offline(folder: Path, pages: Sequence[str], digests: Iterable[str]) -> None:
    """Once all other files have been written.

    Args:
        pages: with a document each, the first at the root.
        digests: of the models.

    Raises:
        OSError: the folder cannot be written.
    """
    for icon in ICONS:
        shutil.copyfile(BROWSER / "site" / icon, folder / icon)
    name = texts("app.frame")["name"]
    icons = [{"src": src, **about} for src, about in ICONS.items()]
    look = {"display": "standalone", "background_color": "#ffffff", "theme_color": "#ffffff"}
    manifest = {"name": name, "short_name": "Transformer", "start_url": "./", "scope": "./", **look, "icons": icons}
    (folder / "manifest.webmanifest").write_text(json.dumps(manifest), "utf-8")
    own = [path for path in folder.iterdir() if path.suffix in (".js", ".svg", ".png", ".webmanifest") and path.name != SCRIPT]
    kept = [path for name in ("streamlit", "words", "pages", "talks") for path in (folder / name).rglob("*.*")]
    files = {path.relative_to(folder).as_posix(): path for path in sorted([*own, folder / NOTES, *kept])}
    files |= {f"{page}/" if index else "": folder / (page if index else "") / "index.html" for index, page in enumerate(pages)}
    hashes = {address: hashlib.sha256(path.read_bytes()).hexdigest()[:12] for address, path in files.items()}
    (folder / SCRIPT).write_text(_script(hashes, [digest[:12] for digest in digests]), "utf-8")


def _script(hashes: Mapping[str, str], digests: Sequence[str]) -> str:
    at_once = [address for address in hashes if address.endswith("/") or address.rpartition("/")[0].partition("/")[0] in AT_ONCE]
    site = {"files": hashes, "at_once": at_once, "digests": digests}
    return f"const SITE = {json.dumps(site)};\n{(DIST / 'service_worker.js').read_text('utf-8')}"
