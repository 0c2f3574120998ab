"""Where a command lets readers in: the options that `app`, `serve` and `proxy` share."""

from __future__ import annotations

import argparse
import os
import re
import socket
import ssl
from pathlib import Path

from viz_core.errors import VizError
from viz_core.serving.proxy import Entrance

_PATH = re.compile(r"[\w.~-]+(?:/[\w.~-]+)*", re.ASCII)
_HOST = re.compile(r"[\w.:-]+", re.ASCII)


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--port", type=int, default=8501, help="to listen on (default: %(default)s)")
    parser.add_argument("--address", default="localhost", help="to listen on; 0.0.0.0 lets others in (default: %(default)s)")
    parser.add_argument(
        "--base-path",
        default=os.environ.get("VIZ_BASE_PATH", ""),
        help="what the app's addresses begin with, such as viz for https://example.edu/viz/ (default: $VIZ_BASE_PATH, or nothing)",
    )


def read(options: argparse.Namespace, certificate: Path | None = None) -> Entrance:
    """The entrance, checked.

    Raises:
        VizError: one of the options cannot be; the message says which and why.
    """
    base_path = options.base_path.strip("/")
    if not 0 < options.port < 65_536:
        raise VizError(f"--port is {options.port}, expected 1 to 65535")
    if not _HOST.fullmatch(options.address):
        raise VizError(f"--address is {options.address!r}, expected a host name or an IP address")
    if base_path and not _PATH.fullmatch(base_path):
        raise VizError(f"--base-path is {options.base_path!r}, expected letters, digits, - and _, such as viz")
    if certificate is not None and not certificate.is_file():
        raise VizError(f"{certificate}: no such file")
    if certificate is not None:
        try:
            ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(certificate)
        except (ssl.SSLError, OSError) as error:
            raise VizError(f"{certificate}: not a certificate with its key, both as PEM in this file ({error})") from error
    return Entrance(options.address, options.port, base_path, certificate)


def require_free(entrance: Entrance) -> None:
    """Check that this process may listen there.

    Raises:
        VizError: it may not; the message says why.
    """
    try:
        family, *_, place = socket.getaddrinfo(entrance.address, entrance.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        with socket.socket(family) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(place)
    except OSError as error:
        raise VizError(f"cannot listen on {entrance.address}, port {entrance.port}: {error.strerror or error}") from error
