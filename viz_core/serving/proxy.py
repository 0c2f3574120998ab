"""HAProxy in front of the workers: its configuration, and the command that runs it."""

from __future__ import annotations

import hashlib
import re
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from string import Template

from viz_core.errors import VizError
from viz_core.serving.health import ready_path

TEMPLATE = Path(__file__).with_name("haproxy.cfg")
STARTING = Path(__file__).with_name("starting.html")
"""What is shown while no worker answers."""
RESOLVERS = "resolvers names\n    parse-resolv-conf\n    hold valid 5s\n"


@dataclass(frozen=True)
class Entrance:
    """Where readers come in.

    Args:
        address, port: to listen on.
        base_path: what the app's addresses begin with, without slashes at its ends; empty for the root.
        certificate: a PEM file of certificate and key for https, or None for http.
    """

    address: str
    port: int
    base_path: str = ""
    certificate: Path | None = None

    @property
    def origin(self) -> str:
        """The address of the app as seen from this machine, without the base path."""
        host = {"0.0.0.0": "localhost", "::": "localhost"}.get(self.address, self.address)
        host = f"[{host}]" if ":" in host else host
        return f"http{'s' if self.certificate else ''}://{host}:{self.port}"

    @property
    def bind(self) -> str:
        """The same in the words of HAProxy."""
        host = {"localhost": "127.0.0.1"}.get(self.address, self.address)
        return f"{host}:{self.port}" + (f' ssl crt "{self.certificate.resolve()}" alpn h2,http/1.1' if self.certificate else "")


def on_ports(ports: Sequence[int]) -> list[str]:
    """The workers of this machine."""
    return [f"server worker-{n} 127.0.0.1:{port}" for n, port in enumerate(ports, 1)]


def by_name(name: str, port: int, at_most: int) -> list[str]:
    """The workers that a name of the network stands for, one for each of its addresses, now and later."""
    return [f"server-template worker {at_most} {name}:{port} resolvers names init-addr none"]


def configuration(workers: Sequence[str], entrance: Entrance, secret: str) -> str:
    """The text of HAProxy's configuration.

    Args:
        workers: lines of `on_ports` or `by_name`.
        secret: that of the cookies; what stands in a reader's cookie is derived from it, and the same for every proxy.
    """
    return Template(TEMPLATE.read_text("utf-8")).substitute(
        bind=entrance.bind,
        ready=ready_path(entrance.base_path),
        starting=STARTING,
        key=hashlib.sha256(b"worker " + secret.encode()).hexdigest(),
        resolvers=RESOLVERS if any("resolvers" in line for line in workers) else "",
        workers="\n    ".join(workers),
    )


class News:
    """Whether a line that HAProxy writes is news: that workers are down is none until each has been up for the first time."""

    def __init__(self) -> None:
        self._up: set[str] = set()

    def __call__(self, line: str) -> bool:
        if state := re.search(r"Server workers/(\S+) is (UP|DOWN)", line):
            worker = state[1]
            is_news = worker in self._up
            if state[2] == "UP":
                self._up.add(worker)
            return is_news
        return bool(self._up) or "has no server available" not in line


def command(file: Path) -> list[str]:
    """The command that runs HAProxy in the foreground with a configuration.

    Raises:
        VizError: it is not installed.
    """
    program = shutil.which("haproxy") or shutil.which("/usr/sbin/haproxy")  # which is not in every PATH
    if program is None:
        raise VizError("several workers need HAProxy, which is not installed: `apt install haproxy`, or `brew install haproxy`")
    return [program, "-db", "-f", str(file)]
