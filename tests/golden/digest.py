"""Digests of arrays and texts, a line each, and their files: they show that something has changed, and what, in a hundredth of the
room.
"""

import csv
import functools
import gzip
import hashlib
import io
import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from viz_core import explain, load

MACHINE = Path(__file__).with_name("machine.txt")
SAMPLES, DEPTH, RANKED = 5, 2, 100
"""Single values of an array that are held; names inside each other that have a line of their own; rows."""
FINE, COARSE = 2e-5, 1e-4
"""Of an array's largest value: what may differ on the machine that has recorded, and on another processor."""
NUMBER = re.compile(r"\d+(?:\.\d+)?")
ROUNDING = re.compile(r"\d·10⁻[⁵⁶⁷⁸⁹](?! ?%)")
"""A number that may be what rounding leaves of a sum: on another processor, or after other work, another number, or none."""
REMAINDER = re.compile(r"(?:remainder|余项)\D*[\d.]+·10⁻[⁶⁷⁸⁹]")
"""The same in a sentence."""
PLAIN = {bool, int, float, str, type(None)}
"""What has nothing inside it."""


@functools.cache
def machine() -> str:
    """The last bits of a forward pass: they differ between processors, and between versions of torch."""
    trace = explain(load("checkpoints/en-de-small"), "The cat is sleeping.").trace
    return hashlib.sha256(trace["output.logits"].numpy().tobytes()).hexdigest()[:16]


@functools.cache
def is_same_machine() -> bool:
    """Whether floats are those of the machine that has recorded, to the last bit."""
    return MACHINE.exists() and MACHINE.read_text().strip() == machine()


def digest(name: str, value: Any) -> dict[str, str]:
    """A line for each array and each list of texts in a table, a payload or a figure, by its name."""
    found: dict[str, str] = {}
    for path, leaves in _leaves(value, name).items():
        kinds = set(map(type, leaves))
        texts = [leaf for leaf in leaves if isinstance(leaf, str)] if str in kinds else []
        numbers = [leaf for leaf in leaves if not isinstance(leaf, str)] if kinds - {str} else []
        if numbers:
            found[path] = _numbers(numbers)
        if texts:
            found[f"{path}:words"] = _words(texts)
            printed = [float(number) for number in NUMBER.findall("\0".join(texts))]
            if printed:
                found[f"{path}:printed"] = _numbers([np.array(printed)])
            if ROUNDING.search("\0".join(texts)):
                found[f"{path}:rounding"] = ""
    return found


def table(content: bytes) -> dict[str, list[Any]]:
    """The columns of a CSV file: numbers, or texts where any cell is none.

    Of what is ranked over a vocabulary the first rows: far behind, a processor's last digit decides which comes first.
    """
    head, *rows = csv.reader(io.StringIO(content.decode("utf-8-sig")))
    if "rank" in head:
        rows = rows[:RANKED]
    return {name: _column([row[at] for row in rows]) for at, name in enumerate(head)}


def _column(cells: list[str]) -> list[Any]:
    try:
        return [float(cell) if cell else None for cell in cells]
    except ValueError:
        return cells


def _leaves(value: Any, path: str) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {}

    def visit(value: Any, path: str, depth: int = 0) -> None:
        if isinstance(value, Mapping):
            for name, inner in value.items():
                visit(inner, path if depth == DEPTH or name.isdecimal() else f"{path}.{name}", min(depth + 1, DEPTH))
        elif isinstance(value, list | tuple):
            if PLAIN.issuperset(map(type, value)):  # a column of a table may have a hundred thousand cells
                found.setdefault(path, []).extend(value)
                return
            for inner in value:
                visit(inner, path, depth)
        else:
            found.setdefault(path, []).append(value)

    visit(value, path)
    return found


def _numbers(leaves: list[Any]) -> str:
    if PLAIN.issuperset(map(type, leaves)):
        values = np.array(leaves, np.float64)  # None becomes NaN
        shape = str(values.size)
    else:
        arrays = [np.asarray(math.nan if leaf is None else leaf, np.float64) for leaf in leaves]
        shape = (
            "×".join(map(str, arrays[0].shape)) if len(arrays) == 1 and arrays[0].ndim else str(sum(each.size for each in arrays))
        )
        values = np.concatenate([each.ravel() for each in arrays])
    known = np.where(np.isfinite(values), values, 0) if values.size else np.zeros(1)
    mix = float((known * np.where((np.arange(known.size) * 2654435761 >> 16) & 1, 1, -1)).sum())
    about = [
        known.min(initial=0), known.max(initial=0), known.sum(), mix, *known[np.linspace(0, known.size - 1, SAMPLES, dtype=int)],
    ]  # fmt: skip
    return " ".join(
        [
            shape,
            str(int((~np.isfinite(values)).sum())),
            *(f"{number:.7g}" if at < 4 else f"{number:.6g}" for at, number in enumerate(about)),
        ]
    )


def _words(texts: list[str]) -> str:
    skeleton = hashlib.sha256(NUMBER.sub("#", "\0".join(texts)).encode(errors="replace")).hexdigest()[:8]
    return f"{len(texts)} {skeleton} {json.dumps(texts[0][:40], ensure_ascii=False)}"


def differences(held: Mapping[str, str], now: Mapping[str, str]) -> Iterator[str]:
    """What is held and is not there any more, under its own name or, where there is no such name now, under another."""
    new = [line for name, line in now.items() if name not in held]
    for name, line in held.items():
        path, _, what = name.rpartition(":")
        if what == "rounding" or (what in ("words", "printed") and f"{path}:rounding" in now):
            continue
        others = [now[name]] if name in now else new
        if not any(same(line, other, printed=name.endswith(":printed")) for other in others):
            yield f"{name}: held {_readable(line)}, now {_readable(now[name]) if name in now else 'nothing like it'}"


def same(held: str, now: str, *, printed: bool = False) -> bool:
    """Whether two lines are of the same numbers, as far as this machine can tell."""
    if held == now:
        return True
    one, other = held.split(" "), now.split(" ")
    if '"' in held + now or one[:2] != other[:2]:
        return False
    size = math.prod(int(part) for part in one[0].split("×"))
    before, after = (np.array(line[2:], float) for line in (one, other))
    allowed = max(abs(before[0]), abs(before[1])) * (FINE if is_same_machine() else 1e-2 if printed else COARSE)
    room = np.full(len(before), allowed)
    room[2:4] *= math.sqrt(size)  # sums: errors of single values are independent
    return bool((np.abs(before - after) <= room).all())


def _readable(line: str) -> str:
    if '"' in line:
        return line
    shape, unknown, least, most, total, _, *samples = line.split(" ")
    nan = f", {unknown} not finite" if unknown != "0" else ""
    return f"{shape} from {least} to {most}, sum {total}{nan} ({' '.join(samples[:4])} …)"


def same_words(held: str, now: str) -> bool:
    """Whether a text differs in nothing but the last place of its numbers by one."""
    if NUMBER.sub("#", held) != NUMBER.sub("#", now):
        return False
    pairs: Iterable[tuple[str, str]] = zip(NUMBER.findall(held), NUMBER.findall(now), strict=True)
    return all(abs(float(a) - float(b)) <= 1.01 * 10.0 ** -len(a.partition(".")[2]) for a, b in pairs)


def same_but_for_rounding(held: str, now: str) -> bool:
    """Whether two texts differ in nothing but the remainder that rounding leaves of a sum."""
    return REMAINDER.sub("#", held) == REMAINDER.sub("#", now)


def write(path: Path, parts: Mapping[str, Sequence[str]]) -> None:
    """Writes a file, the same bytes for the same content."""
    lines = [line for name, each in parts.items() for line in (f"# {name}", *each)]
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(gzip.compress("\n".join(lines).encode(errors="replace"), 9, mtime=0))


def read(path: Path) -> dict[str, list[str]]:
    """The lines of each part."""
    parts: dict[str, list[str]] = {}
    for line in gzip.decompress(path.read_bytes()).decode().split("\n"):
        if line.startswith("# "):
            lines = parts.setdefault(line[2:], [])
        else:
            lines.append(line)
    return parts
