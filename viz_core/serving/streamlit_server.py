"""How a Streamlit process with the app is started: the one place for its command line."""

from __future__ import annotations

import os
import secrets
import sys
from collections.abc import Mapping, Sequence

from viz_core.home import HOME

WORKER = ("--server.headless", "true", "--logger.hideWelcomeMessage", "true")
"""Options of a process that nobody opens by its own address."""
SECRET = "STREAMLIT_SERVER_COOKIE_SECRET"
CALCULATOR = "VIZ_CALCULATOR"
"""`off` lets a process do without its calculator, see `viz_core.app.elsewhere`."""


def command(address: str, port: int, base_path: str = "", more: Sequence[str] = ()) -> list[str]:
    """The command that serves the app.

    Args:
        address, port: to listen on.
        base_path: what the app's addresses begin with, such as `viz` for https://example.edu/viz/.
        more: options of Streamlit.
    """
    return [
        *(sys.executable, "-m", "streamlit", "run", str(HOME / "app.py")),
        *("--server.address", address, "--server.port", str(port), "--server.baseUrlPath", base_path, *more),
    ]


def environment(given: Mapping[str, str] = os.environ) -> dict[str, str]:
    """The variables of this process, and a secret for the cookies if none is given: all workers must have the same."""
    return {SECRET: secrets.token_hex(32), **given}
