"""A file is the old one or the new one."""

import errno
import os
from pathlib import Path

import pytest

from tests.pipes import at_once
from viz_core.files import read_bytes, write_atomically, write_together


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
