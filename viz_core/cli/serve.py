"""viz-core serve: the app in several processes on this machine, behind HAProxy.

Each reader stays with one process. One that ends is started again; its readers go on with another one, at most after a reload.
"""

from __future__ import annotations

import argparse
import os
import socket
import sys
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from viz_core.cli import entrance, using
from viz_core.errors import VizError
from viz_core.files import path
from viz_core.home import SHARED_BY
from viz_core.serving import proxy, streamlit_server
from viz_core.serving.health import answers, ready_path
from viz_core.serving.proxy import Entrance
from viz_core.serving.supervisor import keep_running

MOST = 64


def add_parser(commands: Any) -> None:
    parser = commands.add_parser("serve", help="open the app to a class: several processes behind a proxy", description=__doc__)
    parser.add_argument(
        "--workers", type=int, default=os.cpu_count() or 1, help="processes, at best one for each core (default: %(default)s)"
    )
    parser.add_argument("--certificate", type=path, help="PEM file of certificate and key: https instead of http")
    using.add_checkpoints(parser)
    entrance.add_options(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Serves until it is asked to end.

    Raises:
        VizError: an option cannot be, HAProxy is missing, or a process does not start.
    """
    there = entrance.read(options, options.certificate)
    if not 1 <= options.workers <= MOST:
        raise VizError(f"--workers is {options.workers}, expected 1 to {MOST}")
    chosen = using.checkpoints_environment(options)
    entrance.require_free(there)
    environment = streamlit_server.environment(os.environ | chosen)
    ports = _free_ports(options.workers)
    started = (streamlit_server.command("127.0.0.1", port, there.base_path, streamlit_server.WORKER) for port in ports)
    commands = {f"worker {n}": command for n, command in enumerate(started, 1)}
    with tempfile.TemporaryDirectory(prefix="viz-core-") as folder:  # only its owner may enter it
        if 2 * options.workers > (os.cpu_count() or 1):
            environment.setdefault(streamlit_server.CALCULATOR, "off")  # the workers take all cores by themselves
        environment.setdefault(SHARED_BY, str(Path(folder, "shared")))  # a model that one worker keeps, the others show as well
        file = Path(folder, "haproxy.cfg")
        commands["the proxy"] = proxy.command(file)
        file.write_text(proxy.configuration(proxy.on_ports(ports), there, environment[streamlit_server.SECRET]), "utf-8")
        print(f"Starting {options.workers} worker{'s' * (options.workers > 1)} …", file=sys.stderr, flush=True)
        if keep_running(commands, environment, _announcing(there), {"the proxy": proxy.News()}):
            raise VizError("a process does not start; what it said stands above")


def _free_ports(count: int) -> list[int]:
    """Ports of this machine on which nothing listens, all different."""
    with ExitStack() as stack:
        probes = [stack.enter_context(socket.socket()) for _ in range(count)]
        for probe in probes:
            probe.bind(("127.0.0.1", 0))
        return [probe.getsockname()[1] for probe in probes]


def _announcing(there: Entrance) -> Callable[[], None]:
    """Says once that the app can be opened."""
    said: list[bool] = []

    def announce() -> None:
        if not said and answers(there.origin, ready_path(there.base_path)):
            said.append(True)
            print(f"The app is open at {there.origin}/{there.base_path}", file=sys.stderr, flush=True)

    return announce
