"""Pair files, the vocabulary learnt from both sides, and batches."""

import gzip
import random
from collections import Counter
from pathlib import Path

import pytest

from tests.conftest import made
from viz_core.config import BOS_ID, EOS_ID, PAD_ID
from viz_core.errors import PairsError
from viz_core.model import Transformer
from viz_core.tokenizer import SPACE, Tokenizer
from viz_core.training.pair_file import MOST_LISTED, read_few, read_pairs, read_references
from viz_core.training.pairs import encode_pairs, learn_tokenizer, make_batch, plan_epoch

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
        GOOD.rstrip(),
        GOOD.replace(b"\n", b"\r\n"),
        b"\xef\xbb\xbf" + GOOD,
        gzip.compress(GOOD, mtime=0),
        gzip.compress(b"\xef\xbb\xbf" + GOOD, mtime=0),
        b"\xff\xfe" + GOOD.decode().encode("utf-16-le"),
        b"\xfe\xff" + GOOD.replace(b"\n", b"\r\n").decode().encode("utf-16-be"),
        b"\n" + GOOD.replace(b"\n", b"\n \t\r\n"),
        GOOD.replace(b"\n", b"\t" + MANYTHINGS + b"\n"),
        GOOD.replace(b"\n", b"\t" + MANYTHINGS + b"\r\n", 1),
        GOOD.replace(b"The", b"\xef\xbb\xbfThe"),
    ],
    ids=[
        "plain", "no last newline", "Windows", "BOM", "gzip", "gzip with BOM", "UTF-16 LE", "UTF-16 BE, Windows", "blank lines",
        "attributed", "one attributed", "joined files with BOM",
    ],
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
        (b"a\tb\tCC-BY 4.0 me\n", "3 columns, expected 2 (source, tab, target): keep the two with the sentences"),
        (b"1276\tLet's go.\t77\tLos!\n", "keep the second and the fourth (cut -f2,4)"),
        (b"a\tb\rc\td\r", "pairs.tsv: it contains carriage returns (CR)"),
        (b"a\tb\rc\td\n", "line 1: 3 columns, expected 2 (source, tab, target): it contains carriage returns (CR)"),
        (b"a\t\tb\n", "keep the two with the sentences, such as cut -f1,3"),
        (b'{"en": "Oh, my; no.", "de": "Oje."}\n', "1 column, expected 2 (source, tab, target): it looks like JSON;"),
        (b'  ["Oh, my.", "Oje."],\n', "it looks like JSON;"),
        (b"[\n", "it looks like JSON;"),
        (b'    "en": "Oh, my.",\n', "it looks like JSON;"),
        (b'<?xml version="1.0"?>\n', "it looks like XML, such as TMX;"),
        (rb"Oh, my.\tOje.", "and this line has a backslash and a t"),
        (b"Oh, my. ||| Oje.", "and this line has the sign |||"),
        (b"Oh my.    Oje.", "and this line has several spaces"),
        (b"Oh my.\nOje.\n", "line 1: 1 column, expected 2 (source, tab, target): if each language has a file of its own"),
        (b"a\tb\0\n", "pairs.tsv, line 1: byte 4 is NUL, which text never contains"),
        (GOOD.decode().encode("utf-16-le"), "pairs.tsv, line 1: byte 2 is NUL, which text never contains"),
        (
            b"My aunt.,Meine Tante.\n",
            "line 1: 1 column, expected 2 (source, tab, target): columns are separated by tabs, and this line has commas",
        ),
        (b"Oh, my.;Oje.\n", "and this line has semicolons"),
        (b"a = b\n", "pairs.tsv, line 1: 1 column"),
        (b" \tb\n" + GOOD, "pairs.tsv, line 1: the source is empty"),
        ("\u200b\tb\n".encode() + GOOD, "pairs.tsv, line 1: the source is empty"),
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
    for content, end in (
        (b"alone\n" * 1234, "  and 1,224 more"),
        (b"alone\n" * 3 + b"\xfc\n", "pairs.tsv, line 4: byte 1 is not UTF-8"),
    ):
        path.write_bytes(content)
        with pytest.raises(PairsError) as error:
            read_pairs(path)
        *listed, last = str(error.value).splitlines()
        assert last.startswith(end)
        assert len(listed) == 1 + min(MOST_LISTED, content.count(b"alone"))


def test_what_is_left_out_is_counted_and_lines_keep_their_numbers(path: Path) -> None:
    content = b"\n" + GOOD.replace(b"\n", b"\t" + MANYTHINGS + b"\n\n\n") + b"a\tb\n"
    path.write_bytes(content)
    notes: list[str] = []
    assert read_pairs(path, notes.append) == [*PAIRS, ("a", "b")]
    assert notes == [
        "pairs.tsv: 5 blank lines left out",
        "pairs.tsv: the third column, an attribution to Tatoeba, left out of 2 lines",
    ]
    few = read_few(content, "few", 3)
    assert [few.line(index) for index in range(3)] == [2, 5, 8]


def test_what_is_typed_may_have_another_mark_than_a_tab() -> None:
    typed = b"My aunt. = Meine Tante.\n1 = 1\tEins = eins\nThe otter!=Der Otter!"
    assert read_few(typed, "typed", 9, "=").pairs == (PAIRS[0], ("1 = 1", "Eins = eins"), PAIRS[1])
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


Pairs = list[tuple[str, str]]


def test_a_typed_space_sign_does_not_enter_the_vocabulary() -> None:
    learned = learn_tokenizer([("a▁b a▁b a▁b", "▁ ▁ ▁")], "en", "de", 400)
    assert not any(SPACE in token[1:] for token in learned.vocab)


def test_ids_are_those_of_each_side(pairs: Pairs, tokenizer: Tokenizer, model: Transformer) -> None:
    for (source, target), (source_ids, target_ids) in zip(pairs, encode_pairs(made(model, tokenizer), pairs), strict=True):
        assert tokenizer.decode(source_ids) == source
        assert tokenizer.decode(target_ids) == target


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


def test_the_seed_decides(lengths: list[tuple[int, int]]) -> None:
    plan, other = (plan_epoch(lengths, 200, seed) for seed in (3, 4))
    assert plan == plan_epoch(lengths, 200, seed=3) != other
    assert len(plan) == len(other)  # every epoch is as long


def test_a_pair_over_the_budget_goes_alone() -> None:
    plan = plan_epoch([(3, 3), (90, 90), (3, 3)], tokens=20, seed=0)
    assert sorted(map(sorted, plan)) == [[0, 2], [1]]


def test_special_tokens_stand_where_the_model_expects_them() -> None:
    batch = make_batch([([300, 301], [400]), ([302], [401, 402])])
    assert batch.source.tolist() == [[300, 301, EOS_ID], [302, EOS_ID, PAD_ID]]
    assert batch.read.tolist() == [[BOS_ID, 400, PAD_ID], [BOS_ID, 401, 402]]
    assert batch.predict.tolist() == [[400, EOS_ID, PAD_ID], [401, 402, EOS_ID]]
