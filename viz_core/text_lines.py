"""Lines of text from a file or stream: UTF-8, with or without a byte-order mark, or UTF-16 with one; plain or packed with gzip."""

import codecs
import gzip
import io
import zlib
from collections.abc import Iterator
from typing import Any, BinaryIO

from viz_core.errors import TextError
from viz_core.texts import fill, texts

UTF_16 = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}
"""Byte-order mark → encoding."""
GZIP = b"\x1f\x8b"
NO_TEXT = {
    b"PK\x03\x04": "zip",
    b"BZh91AY&SY": "bzip2",
    b"\xfd7zXZ\0": "xz",
    b"7z\xbc\xaf": "seven_zip",
    b"\x28\xb5\x2f\xfd": "zstd",
    b"%PDF-": "pdf",
    b"{\\rtf": "rtf",
    b"PAR1": "parquet",
    b"version https://git-lfs": "git_lfs",
}
"""First bytes of files that users mistake for text → key of the format's name in `en.toml`."""


def encoding_of(content: bytes) -> str:
    """The encoding of a whole file; decoding with it drops the byte-order mark."""
    return "utf-16" if content[:2] in UTF_16 else "utf-8-sig"


def file_message(key: str, **values: object) -> str:
    """A message about a file of texts or pairs, in the app's language."""
    return fill(texts("pair_file")[key], {name: f"{v:,}" if isinstance(v, int) else v for name, v in values.items()})


def text_lines(raw: BinaryIO, name: str, most: int = -1) -> Iterator[tuple[str, bool]]:
    r"""Each line without its \n, and whether it was cut. Only \n ends a line.

    Args:
        raw: opened for buffered reading; may be a terminal, where lines arrive as they are typed.
        name: what the messages call it.
        most: bytes of a line, as UTF-8; the rest of a longer one is skipped. −1: all.

    Raises:
        TextError: the file is not text, or cannot be read; the message names the line.
    """
    number = 0
    try:
        stream, from_utf_16 = _opened(raw)
        while line := stream.readline(most if most < 0 else most + 1):
            number += 1
            if number == 1:
                what = next((what for mark, what in NO_TEXT.items() if line.startswith(mark)), "")
                if what := "tar" if line[257:262] == b"ustar" else what:
                    raise TextError(file_message("no_text", name=name, what=file_message(what)))
                if b"\r" in line.rstrip(b"\r") and not line.endswith(b"\n"):  # an old Mac's, which would be one line
                    raise TextError(name + file_message("has_cr"))
            cut = 0 <= most < len(line) and not line.endswith(b"\n")
            text = _decoded(line[:most] if cut else line, cut, name, number, from_utf_16)
            yield text.removeprefix("\ufeff"), cut  # also where files were joined
            while cut and line and not line.endswith(b"\n"):
                line = stream.readline(most)
    except (OSError, EOFError, zlib.error) as error:
        raise TextError(file_message("unreadable", name=name, number=number, error=error)) from error


def _opened(raw: BinaryIO) -> tuple[io.BufferedReader, bool]:
    """The stream converted to UTF-8, and whether it was UTF-16."""
    head = raw.read(1)
    if head and any(mark.startswith(head) for mark in (GZIP, *UTF_16)):  # else read no further: a terminal would wait
        head += raw.read(1)
    if head == GZIP:
        return _opened(gzip.open(io.BufferedReader(_Joined(head, raw))))  # type: ignore[arg-type]
    if head in UTF_16:
        return io.BufferedReader(_Joined(b"", raw, UTF_16[head])), True
    return io.BufferedReader(_Joined(head, raw)), False


class _Joined(io.RawIOBase):
    """The start of a stream, then the rest of it; UTF-16 becomes UTF-8."""

    def __init__(self, head: bytes, rest: BinaryIO, encoding: str = "") -> None:
        self._head, self._rest = head, rest
        self._decoder = codecs.getincrementaldecoder(encoding)("surrogatepass") if encoding else None

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        content, self._head = self._head, b""
        if self._decoder is None:
            content = content or self._rest.read1(len(buffer))  # type: ignore[attr-defined]
        while self._decoder and not content:
            read: bytes = self._rest.read1(len(buffer) // 2)  # type: ignore[attr-defined]
            content = self._as_utf_8(read)
            if not read:
                break
        buffer[: len(content)] = content
        return len(content)

    def _as_utf_8(self, read: bytes) -> bytes:
        """Half a character becomes bytes that are not UTF-8, so that its line is refused."""
        assert self._decoder
        try:
            return self._decoder.decode(read, final=not read).encode("utf-8", "surrogatepass")
        except UnicodeDecodeError:  # the file ends in the middle of a character
            self._decoder.reset()
            return b"\xff"


def _decoded(line: bytes, cut: bool, name: str, number: int, from_utf_16: bool) -> str:
    if 0 in line:
        raise TextError(file_message("nul" if from_utf_16 else "nul_at", name=name, number=number, at=line.index(0) + 1))
    try:
        return codecs.getincrementaldecoder("utf-8")().decode(line) if cut else line.removesuffix(b"\n").decode()
    except UnicodeDecodeError as error:
        raise TextError(
            file_message("half" if from_utf_16 else "no_utf_8", name=name, number=number, at=error.start + 1)
        ) from error
