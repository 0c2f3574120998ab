"""viz-core talk: a whole talk as one HTML file that needs no server and no network, or its handout as PDF.

The same keys step through it as in the app, and it holds every view with its note. Its handout, behind the button of that name or
with #handout at the end of its address, has each view on a page of its own. `--out NAME.pdf` writes only the handout, printed by a
browser of this machine without a window. `--no-notes` leaves the speaker's notes out of either. With `--live` the file holds a
model, and whoever reads it types sentences of their own.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from viz_core.errors import VizError
from viz_core.files import path, require_suffix, write_atomically
from viz_core.texts import DEFAULT_LANGUAGE, fill, languages, speak, texts

if TYPE_CHECKING:
    from viz_core.app.html_file import Shown


def add_parser(commands: Any) -> None:
    words = texts("app.downloads")["command"]
    parser = commands.add_parser("talk", help=words["help"], description=__doc__)
    parser.add_argument("talk", help=words["talk"])
    parser.add_argument("--out", type=path, required=True, help=words["out"])
    parser.add_argument("--lang", choices=languages(), default=DEFAULT_LANGUAGE, help=words["lang"])
    parser.add_argument("--no-notes", action="store_true", help=words["no_notes"])
    parser.add_argument("--live", action="store_true", help=words["live"])
    parser.add_argument("--model", default="", help=words["model"])
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    from tqdm import tqdm

    from viz_core.app.chosen import DEFAULT_MODEL
    from viz_core.app.html_file import alone
    from viz_core.app.live import live
    from viz_core.app.talk_file.record import load, recorded

    words, notices = texts("app.downloads")["command"], texts("app.notices")
    require_suffix(options.out, ".html", ".htm", ".pdf")
    is_pdf = options.out.suffix.lower() == ".pdf"
    talk, problems = load(options.talk, options.lang)
    for problem in problems:
        _say(words["problem"], line=problem.line, reason=problem.reason)
    speak(options.lang)  # for the file; the terminal's messages are English
    views = list(tqdm(recorded(talk, options.model), total=len(talk.views), unit="view", desc=talk.name, dynamic_ncols=True))
    if options.no_notes:
        views = [replace(view, note="") for view in views]
    model = live(options.model or _most(views)) if options.live and not is_pdf else None
    if model and not any(view.follows(model) for view in views):  # it would only make the file larger
        _say(words["no_view_follows"], model=model.model)
        model = None
    written_for = {view.parameters.get("model", DEFAULT_MODEL) for view in talk.views}
    if options.model and written_for != {options.model}:
        note = fill(
            texts("app.downloads")["command"]["other_model"], {"models": ", ".join(sorted(written_for)), "model": options.model}
        )
        print(note, file=sys.stderr)
        views = [replace(view, note=f"{note}\n\n{view.note}") for view in views]
    about = {"name": talk.name, "title": talk.title, "starts": talk.starts()}
    content = alone(talk.title, views, about, model)
    if is_pdf:
        content = printed(content)
    try:
        write_atomically(options.out, content)
    except OSError as error:
        raise VizError(f"cannot write {options.out}: {error.strerror or error}") from error
    for number, view in enumerate(views, 1):
        for notice in view.notices:
            _say(words["noticed"], view=number, reason=fill(notices[notice.code], notice.values))
    if away := [str(number) for number, view in enumerate(views, 1) if not view.drawn]:
        _say(words["away"], views=", ".join(away))
    if model and (still := [str(number) for number, view in enumerate(views, 1) if not view.follows(model)]):
        _say(words["still"], views=", ".join(still))
    _say(words["done"], views=len(views), megabytes=f"{options.out.stat().st_size / 1e6:.1f}", file=options.out)


def _most(views: Sequence[Shown]) -> str:
    """The model of most views."""
    return Counter(view.sentence.model for view in views).most_common(1)[0][0]


def _say(words: str, **values: object) -> None:
    print(fill(words, values), file=sys.stderr)


BROWSERS = (
    "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge", "microsoft-edge",
    "chromium-headless-shell",
)  # fmt: skip
PLACES = (
    Path("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"),
    Path("/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge"),
    Path(os.environ.get("PROGRAMFILES", "C:/Program Files"), "Google/Chrome/Application/chrome.exe"),
    Path(os.environ.get("PROGRAMFILES(X86)", "C:/Program Files (x86)"), "Microsoft/Edge/Application/msedge.exe"),
)
"""Paths of browsers on macOS and Windows."""
LONG = 300.0  # s; 37 views take about ten


def printed(page: bytes) -> bytes:
    """The handout of a talk's file as PDF, a page for each view. The file counts as loading until all pages are drawn.

    Raises:
        VizError: there is no Chromium, Chrome or Edge, or it printed nothing.
    """
    words = texts("app.downloads")["command"]
    browser = next(filter(None, map(shutil.which, BROWSERS)), None) or next(filter(Path.exists, PLACES), None)
    if browser is None:
        raise VizError(words["no_browser"])
    with tempfile.TemporaryDirectory(prefix="viz-core-") as folder:
        file, pdf = Path(folder, "talk.html"), Path(folder, "talk.pdf")
        file.write_bytes(page)
        options = ["--headless", "--disable-gpu", "--no-first-run", "--no-pdf-header-footer", f"--user-data-dir={folder}/profile"]
        if hasattr(os, "geteuid") and os.geteuid() == 0:
            options.append("--no-sandbox")  # the sandbox refuses to run as root, as in a container; the page is our own
        command = [browser, *options, f"--print-to-pdf={pdf}", f"{file.as_uri()}#handout"]
        try:
            done = subprocess.run(command, capture_output=True, timeout=LONG, check=False)
            return pdf.read_bytes()
        except subprocess.TimeoutExpired as error:
            raise VizError(fill(words["no_pdf"], {"browser": browser, "reason": str(error)})) from error
        except FileNotFoundError as error:
            last_line = done.stderr.decode(errors="replace").strip().splitlines()[-1:]
            raise VizError(fill(words["no_pdf"], {"browser": browser, "reason": "".join(last_line)})) from error
