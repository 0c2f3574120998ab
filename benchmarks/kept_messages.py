"""The large messages that a browser keeps, so that the server can send their hashes alone; as Streamlit's frontend does it."""

from __future__ import annotations

from streamlit.proto.ForwardMsg_pb2 import ForwardMsg


class Forgotten(Exception):
    """The server refers to a message that the browser no longer has: it then ends its connection for good."""


class KeptMessages:
    """Those that one tab keeps. What so many runs have not shown is forgotten.

    Attributes:
        runs_kept: so many; the server says it with each run.
    """

    def __init__(self) -> None:
        self.runs_kept = 2
        self._runs = 0
        self._shown: dict[str, tuple[int, ForwardMsg]] = {}

    @property
    def hashes(self) -> list[str]:
        """What a browser tells the server with each message."""
        return list(self._shown)

    def resolve(self, message: ForwardMsg) -> ForwardMsg:
        """The message itself, where the server has sent its hash.

        Raises:
            Forgotten: it is not here any more.
        """
        if message.WhichOneof("type") == "ref_hash":
            if message.ref_hash not in self._shown:
                raise Forgotten(message.ref_hash)
            kept = self._shown[message.ref_hash][1]
            self._shown[message.ref_hash] = (self._runs, kept)
            return kept
        if message.metadata.cacheable:
            self._shown[message.hash] = (self._runs, message)
        return message

    def end_run(self, finished: ForwardMsg) -> None:
        """Forgets what is too old; after the run of a fragment, only what is the fragment's."""
        self._runs += 1
        fragments = finished.metadata.run.fragment_ids
        self._shown = {
            name: (shown, message)
            for name, (shown, message) in self._shown.items()
            if self._runs - shown <= self.runs_kept or (fragments and message.delta.fragment_id not in fragments)
        }
