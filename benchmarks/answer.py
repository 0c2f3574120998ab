"""The server's answer to one message of a session."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from streamlit.proto.Alert_pb2 import Alert


class NoAnswer(Exception):
    """The server has closed the socket, has not answered in time, or refers to what a browser no longer has."""


@dataclass
class Answer:
    """All messages up to the end of the run that answers.

    Attributes:
        seconds: from the message sent to that end.
        bytes: over the wire, so compressed where the server compresses.
        kinds, sizes: of each kind of message, how many, and their bytes before compression.
        errors: exceptions and errors that the page shows.
    """

    seconds: float = 0.0
    bytes: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    sizes: Counter[str] = field(default_factory=Counter)
    errors: list[str] = field(default_factory=list)

    @property
    def messages(self) -> int:
        """How many there were."""
        return self.kinds.total()

    def note(self, kind: str, size: int) -> None:
        """One message more."""
        self.kinds[kind] += 1
        self.sizes[kind] += size

    def note_error(self, page: str, kind: str, element: Any) -> None:
        """Notes an element of the page, if it is one that says that something went wrong."""
        if kind == "exception":
            self.errors.append(f"/{page}: {element.type}: {element.message}")
        elif kind == "alert" and element.format == Alert.ERROR:
            self.errors.append(f"/{page}: {element.body}")
