"""Pair files, the vocabulary learnt from both sides, and batches."""

import gzip
import random
from collections import Counter
from pathlib import Path

import pytest

from viz_core.config import BOS_ID, EOS_ID, PAD_ID
from viz_core.errors import PairsError
from viz_core.training.pair_file import read_pairs, read_references
from viz_core.training.pairs import make_batch, plan_epoch

GOOD = b"My aunt.\tMeine Tante.\nThe otter!\tDer Otter!\n"
MANYTHINGS = b"CC-BY 2.0 (France) Attribution: tatoeba.org #2877272 (CM) & #8597805 (Roujin)"
PAIRS = [("My aunt.", "Meine Tante."), ("The otter!", "Der Otter!")]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "pairs.tsv"


@pytest.mark.parametrize(
    "content",
    [
        GOOD,
        GOOD.replace(b"\n", b"\r\n"),
        b"\xef\xbb\xbf" + GOOD,
        gzip.compress(GOOD, mtime=0),
        b"\xff\xfe" + GOOD.decode().encode("utf-16-le"),
        b"\xfe\xff" + GOOD.replace(b"\n", b"\r\n").decode().encode("utf-16-be"),
        b"\n" + GOOD.replace(b"\n", b"\n \t\r\n"),
        GOOD.replace(b"\n", b"\t" + MANYTHINGS + b"\n"),
    ],
    ids=["plain", "Windows", "BOM", "gzip", "UTF-16 LE", "UTF-16 BE, Windows", "blank lines", "attributed"],
)  # fmt: skip
def test_all_of_these_are_the_same_pairs(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    assert read_pairs(path) == PAIRS


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (GOOD + b"alone\n", "pairs.tsv, line 3: 1 column, expected 2"),
        (GOOD + b"a\tb\tc\n", "pairs.tsv, line 3: 3 columns, expected 2"),
        (b"\n\r\n \t\n", "pairs.tsv: all of its lines are blank"),
        (b"a\tb\t\r\n", "3 columns, expected 2 (source, tab, target): the line ends in a tab; remove it"),
        (b"1276\tLet's go.\t77\tLos!\n", "keep the second and the fourth (cut -f2,4)"),
        (b"a\tb\rc\td\r", "pairs.tsv: it contains carriage returns (CR)"),
        (b'{"en": "Oh, my; no.", "de": "Oje."}\n', "1 column, expected 2 (source, tab, target): it looks like JSON;"),
        (rb"Oh, my.\tOje.", "and this line has a backslash and a t"),
        (b"Oh my.    Oje.", "and this line has several spaces"),
        (
            b"My aunt.,Meine Tante.\n",
            "line 1: 1 column, expected 2 (source, tab, target): columns are separated by tabs, and this line has commas",
        ),
        (b" \tb\n" + GOOD, "pairs.tsv, line 1: the source is empty"),
        (GOOD + b"a\t\n", "pairs.tsv, line 3: the target is empty"),
        (b"", "pairs.tsv: the file is empty"),
        (gzip.compress(GOOD * 9, mtime=0)[:-9], "pairs.tsv, after line"),
    ],
)
def test_what_is_wrong_is_named(path: Path, content: bytes, said: str) -> None:
    path.write_bytes(content)
    with pytest.raises(PairsError) as error:
        read_pairs(path)
    assert said in str(error.value)


def test_the_first_bad_lines_are_listed_at_once_with_what_ended_the_reading(path: Path) -> None:
    path.write_bytes(GOOD + b"alone\n\na\tb\tc\n\tx\n" + GOOD)
    with pytest.raises(PairsError) as error:
        read_pairs(path)
    assert str(error.value).splitlines() == [
        "pairs.tsv: 3 lines cannot be used",
        "  line 3: 1 column, expected 2 (source, tab, target)",
        "  line 5: 3 columns, expected 2 (source, tab, target): keep the two with the sentences, such as cut -f1,2",
        "  line 6: the source is empty",
    ]
    path.write_bytes(b"alone\n" * 1234)
    with pytest.raises(PairsError, match="and 1,224 more"):
        read_pairs(path)


def test_adjacent_lines_of_one_source_are_its_references(path: Path) -> None:
    path.write_text("a\tx\na\ty\nb\tz\n")
    assert read_references(path) == [("a", ["x", "y"]), ("b", ["z"])]


Pairs = list[tuple[str, str]]


@pytest.fixture(scope="module")
def lengths() -> list[tuple[int, int]]:
    draw = random.Random(4)
    return [(max(1, source + draw.randint(-3, 3)), source) for source in (draw.randint(1, 30) for _ in range(700))]


def test_every_pair_comes_once_and_positions_with_padding_keep_to_the_budget(lengths: list[tuple[int, int]]) -> None:
    plan = plan_epoch(lengths, tokens=200, seed=0)
    assert Counter(i for batch in plan for i in batch) == Counter(range(len(lengths)))
    for batch in plan:
        longest = max(max(lengths[i]) for i in batch) + 1  # one special token on either side
        assert len(batch) * longest <= 200


def test_batches_hold_little_padding_and_none_is_small(lengths: list[tuple[int, int]]) -> None:
    plan = plan_epoch(lengths, tokens=400, seed=0)
    for side, most in ((0, 1.2), (1, 1.05)):
        padded = sum(len(batch) * (max(lengths[i][side] for i in batch) + 1) for batch in plan)
        assert padded < most * sum(length[side] + 1 for length in lengths)
    filled = sorted(sum(max(lengths[i]) + 1 for i in batch) for batch in plan)
    assert filled[1] > 400 / 2  # the last one may be a rest


def test_a_pair_over_the_budget_goes_alone() -> None:
    plan = plan_epoch([(3, 3), (90, 90), (3, 3)], tokens=20, seed=0)
    assert sorted(map(sorted, plan)) == [[0, 2], [1]]


def test_special_tokens_stand_where_the_model_expects_them() -> None:
    batch = make_batch([([300, 301], [400]), ([302], [401, 402])])
    assert batch.source.tolist() == [[300, 301, EOS_ID], [302, EOS_ID, PAD_ID]]
    assert batch.read.tolist() == [[BOS_ID, 400, PAD_ID], [BOS_ID, 401, 402]]
    assert batch.predict.tolist() == [[400, EOS_ID, PAD_ID], [401, 402, EOS_ID]]
