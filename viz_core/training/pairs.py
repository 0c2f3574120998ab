"""Sentence pairs: read from a file, as words to learn a vocabulary from, and as ids in batches to learn to translate from."""

from __future__ import annotations

import gzip
import io
import itertools
import random
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor

from viz_core.checkpoint import Checkpoint
from viz_core.config import UNK_ID, ModelConfig
from viz_core.errors import PairsError
from viz_core.model.embedding import pad
from viz_core.tokenizer import SPACE, BpeTokenizer
from viz_core.tokenizer.bpe import ALPHABET
from viz_core.words import follows_blank, split_words

Pair = tuple[str, str]
IdPair = tuple[list[int], list[int]]  # source and target ids of one sentence pair, without special tokens
OURS = ModelConfig(source_vocab=UNK_ID + 1, target_vocab=UNK_ID + 1)  # the special tokens of our own vocabularies
LONGEST_LINE = 20_000
"""Bytes of one line of a small file, unpacked: with the number of its lines it bounds what a packed file can grow to."""


def read_pairs(path: Path) -> list[Pair]:
    """All pairs of the file.

    Raises:
        PairsError: the file cannot be read, or a line is not two non-empty columns; the message names the line.
    """
    path = Path(path)
    try:
        with path.open("rb") as raw:
            return list(_pairs(raw, path.name))
    except FileNotFoundError:
        raise PairsError(f"{path}: no such file") from None
    except OSError as error:  # such as a folder
        raise PairsError(f"{path.name}, after line 0: cannot be read ({error})") from error


def read_few(content: bytes, name: str, most: int, mark: str = "") -> list[Pair]:
    """All pairs of a small file that a user handed in; the first line that is wrong or too much ends the reading.

    Args:
        name: what the messages call it.
        most: lines that it may have, each of at most LONGEST_LINE bytes.
        mark: separator of a line without a tab, such as "=", where a tab cannot be typed.

    Raises:
        PairsError: as for `read_pairs`; or it is larger.
    """
    return list(_pairs(io.BufferedReader(io.BytesIO(content)), name, most, mark))  # type: ignore[arg-type]


def read_references(path: Path) -> list[tuple[str, list[str]]]:
    """Each source once, with all its translations, which stand on adjacent lines."""
    groups = itertools.groupby(read_pairs(path), key=lambda pair: pair[0])
    return [(source, [target for _, target in pairs]) for source, pairs in groups]


def _pairs(raw: io.BufferedReader, name: str, most: int | None = None, mark: str = "") -> Iterator[Pair]:
    number = 0
    try:
        packed = raw.peek(2)[:2] == b"\x1f\x8b"
        with gzip.open(raw) if packed else raw as lines:
            while line := lines.readline(-1 if most is None else LONGEST_LINE + 1):
                number += 1
                where = f"{name}, line {number:,}"
                if most is not None and len(line) > LONGEST_LINE:
                    raise PairsError(f"{where}: more than {LONGEST_LINE:,} bytes")
                if most is not None and number > most:
                    raise PairsError(f"{where}: at most {most:,} pairs are taken")
                yield _pair(line, where, mark)
    except (OSError, EOFError, zlib.error) as error:
        raise PairsError(f"{name}, after line {number:,}: cannot be read ({error})") from error
    if number == 0:
        raise PairsError(f"{name}: the file is empty")


def _pair(line: bytes, where: str, mark: str) -> Pair:
    try:
        text = line.decode("utf-8-sig" if where.endswith("line 1") else "utf-8").rstrip("\r\n")
    except UnicodeDecodeError as error:
        raise PairsError(f"{where}: byte {error.start + 1} is not UTF-8; save the file as UTF-8") from error
    if b"\0" in line:
        raise PairsError(f"{where}: byte {line.index(0) + 1} is NUL, which no text has")
    columns = text.split(mark if mark and "\t" not in text else "\t")
    if len(columns) != 2:
        plural, parted = "" if len(columns) == 1 else "s", f"{mark} or tab" if mark else "tab"
        raise PairsError(f"{where}: {len(columns)} column{plural}, expected 2 (source, {parted}, target){_instead(columns, mark)}")
    source, target = (column.strip() for column in columns)
    if not source or not target:
        raise PairsError(f"{where}: the {'source' if not source else 'target'} is empty")
    return source, target


def _instead(columns: list[str], mark: str) -> str:
    """Hint for a line without tabs, such as one that a spreadsheet wrote as CSV."""
    for sign, signs in ((";", "semicolons"), (",", "commas")):
        if len(columns) == 1 and not mark and sign in columns[0]:
            return f": columns are parted by tabs, and this line has {signs}"
    return ""


def learn_tokenizer(
    pairs: Sequence[Pair], source_language: str, target_language: str, vocab_size: int, alphabet: int = ALPHABET
) -> BpeTokenizer:
    """The joint vocabulary of both languages; arguments as of `BpeTokenizer.train`."""

    def words() -> Iterator[str]:
        for pair in pairs:
            for text, language in zip(pair, (source_language, target_language), strict=True):
                for word in split_words(text, language):
                    if SPACE not in word.text:
                        yield (SPACE if follows_blank(text, word) else "") + word.text

    return BpeTokenizer.train(words(), vocab_size, alphabet)


def encode_pairs(checkpoint: Checkpoint, pairs: Sequence[Pair]) -> list[IdPair]:
    return [(checkpoint.encode(source, "source").ids, checkpoint.encode(target, "target").ids) for source, target in pairs]


@dataclass(frozen=True)
class Batch:
    """Padded ids of one step's sentences: source with ⟨/s⟩, (B, S), what the decoder reads, ⟨s⟩ first, and should predict, (B, T)
    each.
    """

    source: Tensor
    read: Tensor
    predict: Tensor

    def to(self, device: torch.device) -> Batch:
        return Batch(self.source.to(device), self.read.to(device), self.predict.to(device))


def make_batch(pairs: Sequence[IdPair], config: ModelConfig = OURS) -> Batch:
    first = [] if config.first_id is None else [config.first_id]
    targets = [[*first, *target, config.eos_id] for _, target in pairs]
    return Batch(
        source=pad([config.framed(source) for source, _ in pairs], config.pad_id),
        read=pad([[config.bos_id, *target[:-1]] for target in targets], config.pad_id),
        predict=pad(targets, config.pad_id),
    )


def plan_epoch(lengths: Sequence[tuple[int, int]], tokens: int, seed: int) -> list[list[int]]:
    """Indices of the pairs in each batch, in order, for one epoch.

    Batches are full, as each counts for one step, however small it is; and hold neighbours in length on both sides, which leaves
    almost no padding. For that the source goes up for one length of the target, and down again for the next.

    Args:
        lengths: source and target length of each pair.
        tokens: the most positions, padding included, on the longer side of a batch.
    """
    draw = random.Random(seed)
    order = list(range(len(lengths)))
    draw.shuffle(order)  # so that pairs of equal length meet others in each epoch
    order.sort(key=lambda i: (lengths[i][1], lengths[i][0] * (-1) ** lengths[i][1]))
    plan: list[list[int]] = []
    longest = 0
    for i in order:
        alone = max(lengths[i]) + 1
        longest = max(longest, alone)
        if not plan or (len(plan[-1]) + 1) * longest > tokens:
            plan.append([])
            longest = alone
        plan[-1].append(i)
    draw.shuffle(plan)
    return plan
