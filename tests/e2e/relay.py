"""A port behind which servers come and go, sooner than any could start."""

import socket
from contextlib import suppress
from threading import Thread


class Relay:
    """Passes each connection to its port on to the server that is there; while none is, it refuses."""

    def __init__(self, port: int) -> None:
        self.port = port
        self._listener: socket.socket | None = None
        self._open: set[socket.socket] = set()

    @property
    def is_down(self) -> bool:
        """Whether no server answers."""
        return self._listener is None

    def up(self, port: int) -> None:
        """From now on the server at this port answers."""
        self._listener = socket.create_server(("127.0.0.1", self.port))
        Thread(target=self._accept, args=(self._listener, port), daemon=True).start()

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
                    Thread(target=_pump, args=ends, daemon=True).start()


def _pump(source: socket.socket, sink: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(65536):
            sink.sendall(data)
    for end in (source, sink):
        with suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)
