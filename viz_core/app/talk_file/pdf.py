"""The handout of a talk as PDF, printed by a browser of this machine without a window."""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from viz_core.errors import VizError
from viz_core.texts import fill, texts

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
