"""A port behind which servers come and go, sooner than any could start, and a network that stands still."""

import socket
from contextlib import suppress
from threading import Event, Thread
from urllib.parse import urlsplit

from tests.serving.started import free_port


class Relay:
    """Passes each connection to its port on to the server that is there; while none is, it refuses.

    Attributes:
        passes: while it is not set, what is sent stays on its way, and connections stay open.
    """

    def __init__(self) -> None:
        self.port, self.passes = free_port(), Event()
        self.passes.set()
        self._listener: socket.socket | None = None
        self._open: set[socket.socket] = set()

    @property
    def url(self) -> str:
        """The address of whatever server is there."""
        return f"http://127.0.0.1:{self.port}"

    def up(self, server: str) -> None:
        """From now on the server at this address answers."""
        self._listener = socket.create_server(("127.0.0.1", self.port))
        Thread(target=self._accept, args=(self._listener, urlsplit(server).port), daemon=True).start()

    def down(self) -> None:
        """The server is gone, and with it all connections."""
        for one in (*([self._listener] if self._listener else []), *self._open):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()
        self._listener = None
        self._open.clear()

    def _accept(self, listener: socket.socket, port: int) -> None:
        with suppress(OSError):  # closed
            while True:
                near = listener.accept()[0]
                far = socket.create_connection(("127.0.0.1", port))
                self._open |= {near, far}
                for ends in ((near, far), (far, near)):
                    Thread(target=_pump, args=(*ends, self.passes), daemon=True).start()


def _pump(source: socket.socket, sink: socket.socket, passes: Event) -> None:
    with suppress(OSError):
        while data := source.recv(65536):
            passes.wait()
            sink.sendall(data)
    for end in (source, sink):
        with suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)
