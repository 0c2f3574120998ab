"""viz-core proxy: HAProxy in front of workers that run elsewhere, such as the replicas of a container.

The workers are all addresses that a name of the network stands for, and run `viz-core app`.
"""

from __future__ import annotations

import argparse
import re
import tempfile
from pathlib import Path
from typing import Any

from viz_core.cli import entrance
from viz_core.errors import VizError
from viz_core.files import path
from viz_core.serving import proxy, streamlit_server
from viz_core.serving.supervisor import keep_running

MOST = 1_024
_TO = re.compile(r"([\w.-]+):(\d{1,5})", re.ASCII)


def add_parser(commands: Any) -> None:
    parser = commands.add_parser("proxy", help="the proxy alone, before workers that run elsewhere", description=__doc__)
    parser.add_argument("--to", required=True, metavar="NAME:PORT", help="the workers, such as app:8501")
    parser.add_argument("--at-most", type=int, default=32, help="workers that the name may stand for (default: %(default)s)")
    parser.add_argument("--certificate", type=path, help="PEM file of certificate and key: https instead of http")
    entrance.add_options(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Passes readers on until it is asked to end.

    Raises:
        VizError: an option cannot be, HAProxy is missing, or it does not start.
    """
    there = entrance.read(options, options.certificate)
    to = _TO.fullmatch(options.to)
    if not to or not 0 < int(to[2]) < 65_536:
        raise VizError(f"--to is {options.to!r}, expected a name and a port, such as app:8501")
    if not 1 <= options.at_most <= MOST:
        raise VizError(f"--at-most is {options.at_most}, expected 1 to {MOST:,}")
    entrance.require_free(there)
    environment = streamlit_server.environment()
    with tempfile.TemporaryDirectory(prefix="viz-core-") as folder:
        file = Path(folder, "haproxy.cfg")
        command = proxy.command(file)
        workers = proxy.by_name(to[1], int(to[2]), options.at_most)
        file.write_text(proxy.configuration(workers, there, environment[streamlit_server.SECRET]), "utf-8")
        if keep_running({"the proxy": command}, environment):
            raise VizError("the proxy does not start; what it said stands above")
