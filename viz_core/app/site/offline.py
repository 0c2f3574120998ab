"""What lets a browser keep a site: its service worker with the list of all files, and the manifest of an installable page."""

import hashlib
import json
import shutil
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from viz_core.browser.bundle import BROWSER, DIST
from viz_core.texts import texts

SCRIPT = "sw.js"
ICONS = {"icon.svg": {"sizes": "any", "type": "image/svg+xml"}, "icon.png": {"sizes": "512x512", "type": "image/png"}}
HEAD = ('<link rel="manifest" href="{base}manifest.webmanifest">', '<link rel="icon" href="{base}icon.svg">',
        '<link rel="apple-touch-icon" href="{base}icon.png">')  # fmt: skip
AT_ONCE = ("", "streamlit", "words")
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
    files = {path.relative_to(folder).as_posix(): path for path in sorted([*own, *kept])}
    files |= {f"{page}/" if at else "": folder / (page if at else "") / "index.html" for at, page in enumerate(pages)}
    hashes = {address: hashlib.sha256(path.read_bytes()).hexdigest()[:12] for address, path in files.items()}
    (folder / SCRIPT).write_text(_script(hashes, [digest[:12] for digest in digests]), "utf-8")


def _script(hashes: Mapping[str, str], digests: Sequence[str]) -> str:
    at_once = [address for address in hashes if address.endswith("/") or address.rpartition("/")[0].partition("/")[0] in AT_ONCE]
    site = {"files": hashes, "at_once": at_once, "digests": digests}
    return f"const SITE = {json.dumps(site)};\n{(DIST / 'service_worker.js').read_text('utf-8')}"
