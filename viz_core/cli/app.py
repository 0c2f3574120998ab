"""viz-core app: the app in one process, for a reader or a class."""

import argparse
import os
import re
import socket
import sys
from typing import Any

from viz_core.catalog import find
from viz_core.cli import using
from viz_core.errors import VizError
from viz_core.home import HOME

_PATH = re.compile(r"(?:[\w.~-]+(?:/[\w.~-]+)*)?", re.ASCII)
_HOST = re.compile(r"[\w.:-]+", re.ASCII)


def add_parser(commands: Any) -> None:
    parser = commands.add_parser("app", help="open the app", description=f"{__doc__} STREAMLIT_… variables set anything else.")
    using.add_checkpoints(parser)
    parser.add_argument("--port", type=int, default=8501, help="to listen on (default: %(default)s)")
    parser.add_argument("--address", default="localhost", help="to listen on; 0.0.0.0 lets others in (default: %(default)s)")
    parser.add_argument(
        "--base-path",
        default=os.environ.get("VIZ_BASE_PATH", ""),
        help="what the app's addresses begin with, such as viz for https://example.edu/viz/ (default: $VIZ_BASE_PATH, or nothing)",
    )
    parser.add_argument(
        "--compute",
        choices=("server", "browser"),
        default=os.environ.get("VIZ_COMPUTE") or "server",
        help="browser: for many readers of a weak server, pages below live/ that compute in each reader's browser,"
        " which loads 19 MB once with en-de, 4 MB with en-de-small (default: $VIZ_COMPUTE, or server)",
    )
    parser.add_argument("--models", default="en-de", help="of the pages below live/, joined by commas (default: %(default)s)")
    parser.add_argument("--languages", default="en", help="of the pages below live/, joined by commas (default: %(default)s)")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Replace this process by the server.

    Raises:
        VizError: one of the options is invalid, or the port is taken; the message says which and why.
    """
    base_path = options.base_path.strip("/")
    if not 0 < options.port < 65_536:
        raise VizError(f"--port is {options.port}, expected 1 to 65535")
    if not _HOST.fullmatch(options.address):
        raise VizError(f"--address is {options.address!r}, expected a host name or an IP address")
    if not _PATH.fullmatch(base_path):
        raise VizError(f"--base-path is {options.base_path!r}, expected letters, digits, - and _, such as viz")
    chosen = using.checkpoints_environment(options)
    _require_free(options.address, options.port)
    if options.compute == "browser":
        os.environ.update(chosen)  # a model may be in that folder
        chosen |= {"VIZ_COMPUTE": "browser", "VIZ_LIVE_MODELS": options.models, "VIZ_LIVE_LANGUAGES": options.languages}
        print(_for_readers(options, base_path), file=sys.stderr)
    place = ("--server.address", options.address, "--server.port", str(options.port), "--server.baseUrlPath", base_path)
    command = [sys.executable, "-m", "streamlit", "run", str(HOME / "app.py"), *place]
    os.execve(command[0], command, os.environ | chosen)


def _for_readers(options: argparse.Namespace, base_path: str) -> str:
    """Where readers compute by themselves, and what it costs them.

    Raises:
        CheckpointError: there is no such model.
    """
    sizes = {name: (find(name) / "model.safetensors").stat().st_size / 1e6 for name in options.models.split(",")}
    loads = ", ".join(f"{size:.0f} MB with {name}" for name, size in sizes.items())
    host = _own_address() if options.address in ("0.0.0.0", "::") else options.address
    path = f"{base_path}/live/" if base_path else "live/"
    return (
        f"Readers open http://{host}:{options.port}/{path}\n"
        f"Each of their browsers loads the model once, {loads}, and computes by itself.\n"
        "These pages are written at the first start, which takes some minutes."
    )


def _own_address() -> str:
    """The address of this machine in its network. Nothing is sent: only a route is chosen."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("10.255.255.255", 1))
            return str(probe.getsockname()[0])
        except OSError:
            return socket.gethostname()


def _require_free(address: str, port: int) -> None:
    """Raise a VizError with the reason if this process cannot listen there."""
    try:
        family, *_, place = socket.getaddrinfo(address, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        with socket.socket(family) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(place)
    except OSError as error:
        raise VizError(f"cannot listen on {address}, port {port}: {error.strerror or error}") from error
