"""One reader for every text that is handed in, and one sentence for what is no text; a file is the old one or the new one."""

import bz2
import errno
import gzip
import io
import os
import zipfile
from pathlib import Path

import pytest

from tests.importing.spoil import at_once
from viz_core.errors import TextError
from viz_core.files import read_bytes, write_atomically, write_together
from viz_core.text_lines import text_lines

TEXT = "Grüße, 你好 😀\r\n\nthe end"
LINES = ["Grüße, 你好 😀\r", "", "the end"]


def zipped(content: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("deu.txt", content)
    return out.getvalue()


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize(
    "content",
    [
        TEXT.encode(), b"\xef\xbb\xbf" + TEXT.encode(), b"\xff\xfe" + TEXT.encode("utf-16-le"),
        b"\xfe\xff" + TEXT.encode("utf-16-be"),
    ],
    ids=["UTF-8", "UTF-8 with BOM", "UTF-16 LE", "UTF-16 BE"],
)  # fmt: skip
def test_all_of_these_are_the_same_text(content: bytes, packed: bool) -> None:
    raw = io.BytesIO(gzip.compress(content, mtime=0) if packed else content)
    assert list(text_lines(raw, "a.txt")) == [(line, False) for line in LINES]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"ok\nGr\xfc\xdfe\n", "a.txt, line 2: byte 3 is not UTF-8; save the file as UTF-8"),
        ("plain".encode("utf-16-le"), "a.txt, line 1: byte 2 is NUL, which text never contains"),
        ("plain".encode("utf-32"), "a.txt, line 1: it contains a NUL, which text never does"),
        (b"\xff\xfea\0b\0\n\0\x3d\xd8", "a.txt, line 2: half of a UTF-16 character"),
        (zipped(b"a\tb\n"), "a.txt: not text, but a zip archive"),
        (bz2.compress(b"a\tb\n"), "a.txt: not text, but packed with bzip2"),
        (b"I love you.\rTom is here.\r", "a.txt: it contains carriage returns (CR)"),
        (gzip.compress(b"a\nb\n" * 99, mtime=0)[:-12], "a.txt, after line "),
    ],
)
def test_what_is_no_text_is_refused_by_name_and_place(content: bytes, said: str) -> None:
    with pytest.raises(TextError) as error:
        list(text_lines(io.BytesIO(content), "a.txt"))
    assert str(error.value).startswith(said)
    assert "\n" not in str(error.value)


def test_a_long_line_is_cut_between_characters_and_its_rest_is_not_held() -> None:
    content = "0123456789\n" + "ü" * 95 + "\n" + "y" * 10 + "\nend"
    cut = [("0123456789", False), ("ü" * 5, True), ("y" * 10, False), ("end", False)]
    assert list(text_lines(io.BytesIO(content.encode()), "a.txt", 10)) == cut
    assert next(iter(text_lines(io.BytesIO(("x" + content[11:]).encode()), "a.txt", 10))) == ("xüüüü", True)
    assert list(text_lines(io.BytesIO(content.encode("utf-16")), "a.txt", 10)) == cut


def test_a_line_comes_before_the_next_one_is_typed(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    with os.fdopen(reading, "rb") as raw, os.fdopen(writing, "wb", buffering=0) as typed:
        lines = text_lines(raw, "standard input")
        for line in ("a", "", "ü"):
            typed.write(f"{line}\n".encode())
            assert next(lines) == (line, False)


def test_a_full_disk_leaves_every_old_file_and_no_rest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    write_together({one: b"old", two: b"old"})
    calls = iter([None, OSError(errno.ENOSPC, "No space left on device")])

    def full(_: int) -> None:
        if error := next(calls):
            raise error

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        write_together({one: b"new", two: b"new"})
    assert one.read_bytes() == two.read_bytes() == b"old"
    assert sorted(tmp_path.iterdir()) == [one, two]


def test_what_is_no_file_is_written_into_and_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_atomically(pipe, b"content")
    assert os.read(reader, 99) == b"content"
    os.close(reader)
    assert list(tmp_path.iterdir()) == [pipe]
    assert pipe.is_fifo()


class TestRead:
    def test_a_file_is_read_up_to_its_limit(self, tmp_path: Path) -> None:
        path = tmp_path / "file"
        path.write_bytes(b"12345")
        assert read_bytes(path, 5) == b"12345"
        with pytest.raises(OSError, match="5 bytes, more than is read"):
            read_bytes(path, 4)
        with pytest.raises(FileNotFoundError):
            read_bytes(tmp_path / "none", 5)

    def test_a_pipe_a_link_to_one_and_a_device_are_refused_at_once(self, tmp_path: Path) -> None:
        pipe, link = tmp_path / "pipe", tmp_path / "link"
        os.mkfifo(pipe)
        link.symlink_to(pipe)
        for path in (pipe, link, Path("/dev/zero")):
            with at_once(pipe), pytest.raises(OSError, match="a pipe or a device, expected a file"):
                read_bytes(path, 5)
