"""A file of pairs is read, or the line that cannot be used is named with the reason."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from viz_core.errors import PairsError
from viz_core.training.pairs import read_few, read_pairs, read_references

GOOD = b"My aunt.\tMeine Tante.\nThe otter!\tDer Otter!\n"
PAIRS = [("My aunt.", "Meine Tante."), ("The otter!", "Der Otter!")]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "pairs.tsv"


@pytest.mark.parametrize(
    "content",
    [
        GOOD,
        GOOD.rstrip(),
        GOOD.replace(b"\n", b"\r\n"),
        b"\xef\xbb\xbf" + GOOD,
        gzip.compress(GOOD, mtime=0),
        gzip.compress(b"\xef\xbb\xbf" + GOOD, mtime=0),
    ],
    ids=["plain", "no last newline", "Windows", "BOM", "gzip", "gzip with BOM"],
)
def test_all_of_these_are_the_same_pairs(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    assert read_pairs(path) == PAIRS


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (GOOD + b"alone\n", "pairs.tsv, line 3: 1 column, expected 2"),
        (GOOD + b"a\tb\tc\n", "pairs.tsv, line 3: 3 columns, expected 2"),
        (GOOD + b"\n", "pairs.tsv, line 3: 1 column"),
        (
            b"My aunt.,Meine Tante.\n",
            "line 1: 1 column, expected 2 (source, tab, target): columns are parted by tabs, and this line has commas",
        ),
        (b"Oh, my.;Oje.\n", "and this line has semicolons"),
        (b"a = b\n", "pairs.tsv, line 1: 1 column"),
        (b" \tb\n" + GOOD, "pairs.tsv, line 1: the source is empty"),
        (GOOD + b"a\t\n", "pairs.tsv, line 3: the target is empty"),
        (GOOD + b"a\tb\xff\n", "pairs.tsv, line 3: byte 4 is not UTF-8; save the file as UTF-8"),
        (b"x\ty\n" * 1206 + b"a\tb\tc", "pairs.tsv, line 1,207: 3 columns"),
        (b"", "pairs.tsv: the file is empty"),
        (gzip.compress(b"", mtime=0), "pairs.tsv: the file is empty"),
        (gzip.compress(GOOD * 9, mtime=0)[:-9], "pairs.tsv, after line"),
        (gzip.compress(GOOD, mtime=0)[:10] + b"\xff" * 40, "pairs.tsv, after line 0: cannot be read"),
        (b"\x1f\x8b", "pairs.tsv, after line 0: cannot be read"),
    ],
)
def test_what_is_wrong_is_named(path: Path, content: bytes, said: str) -> None:
    path.write_bytes(content)
    with pytest.raises(PairsError) as error:
        read_pairs(path)
    assert said in str(error.value)


def test_what_is_typed_may_have_another_mark_than_a_tab() -> None:
    typed = b"My aunt. = Meine Tante.\n1 = 1\tEins = eins\nThe otter!=Der Otter!"
    assert read_few(typed, "typed", 9, "=") == [PAIRS[0], ("1 = 1", "Eins = eins"), PAIRS[1]]
    for wrong, said in (
        (b"a, b", "1 column, expected 2 (source, = or tab, target)"),
        (b"a = b = c", "3 columns, expected 2"),
        (b"= b", "the source is empty"),
    ):
        with pytest.raises(PairsError) as error:
            read_few(wrong, "typed", 9, "=")
        assert str(error.value).startswith(f"typed, line 1: {said}")


def test_a_missing_file_and_a_folder_are_named(path: Path) -> None:
    with pytest.raises(PairsError, match=r"pairs\.tsv: no such file"):
        read_pairs(path)
    path.mkdir()
    with pytest.raises(PairsError, match="Is a directory"):
        read_pairs(path)


def test_only_a_newline_ends_a_line(path: Path) -> None:
    path.write_bytes("a\u2028b\x85c\x0bd\te\n".encode())
    assert read_pairs(path) == [("a\u2028b\x85c\x0bd", "e")]


def test_adjacent_lines_of_one_source_are_its_references(path: Path) -> None:
    path.write_text("a\tx\na\ty\nb\tz\n")
    assert read_references(path) == [("a", ["x", "y"]), ("b", ["z"])]
