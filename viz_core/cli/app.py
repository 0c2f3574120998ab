"""viz-core app: the app in one process, for a reader or a small class."""

from __future__ import annotations

import argparse
import os
from typing import Any

from viz_core.cli import entrance, using
from viz_core.serving import streamlit_server


def add_parser(commands: Any) -> None:
    parser = commands.add_parser("app", help="open the app", description=f"{__doc__} STREAMLIT_… variables set anything else.")
    using.add_checkpoints(parser)
    entrance.add_options(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Becomes the server."""
    there, chosen = entrance.read(options), using.checkpoints_environment(options)
    entrance.require_free(there)
    command = streamlit_server.command(there.address, there.port, there.base_path)
    os.execve(command[0], command, streamlit_server.environment(os.environ | chosen))
