"""Texts by lines, in and out: whatever bytes come in, as many lines go out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

MAX_BYTES = 65_536  # of one line; far beyond what any model reads, and little enough to hold 1,024 of them


def read_lines(stream: BinaryIO) -> Iterator[tuple[str, bool]]:
    r"""Each line with whether it was cut at MAX_BYTES. Only \n ends a line; bytes that are not UTF-8 become �."""
    first = True
    while raw := stream.readline(MAX_BYTES + 1):
        cut = len(raw) > MAX_BYTES and not raw.endswith(b"\n")
        if cut:
            raw, rest = raw[:MAX_BYTES], raw
            while rest and not rest.endswith(b"\n"):
                rest = stream.readline(MAX_BYTES)
        text = raw.removesuffix(b"\n").decode(errors="replace")
        yield text.removeprefix("\ufeff") if first else text, cut
        first = False


def one_line(text: str) -> str:
    """The text without anything that some program takes for the end of a line."""
    return " ".join(text.splitlines())
