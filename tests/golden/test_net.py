"""The net has no holes: a change of a held picture or array is told, and what no reader sees is not."""

import numpy as np
import pytest

from tests.golden import digest, pictures
from tests.golden.digest import read

LINES = read(pictures.HELD / "self-matrix.gz")["first"]
WEIGHTS = np.random.default_rng(0).random((2, 4, 9, 9))


def put(old: str, new: str) -> list[str]:
    """The picture with another text in the first line that has the old one."""
    at = next(at for at, line in enumerate(LINES) if old in line)
    return [*LINES[:at], LINES[at].replace(old, new, 1), *LINES[at + 1 :]]


def upside_down(line: str) -> str:
    if not line.startswith("rect"):
        return line
    kind, x1, y1, x2, y2, *rest = line.split(" ")
    return " ".join([kind, x1, str(530 - float(y2)), x2, str(530 - float(y1)), *rest])


CELL = next(line for line in LINES if line.startswith("rect") and "#ffffff" not in line)
INK = CELL[CELL.index("#") :][:9]


@pytest.mark.parametrize(
    ("now", "said"),
    [
        (put(INK, "#0072b2ff"), "colour"), (put('"·t"', '"·l"'), "words"), ([upside_down(line) for line in LINES], ""),
        (LINES[:-1], "missing"), ([*LINES, LINES[-1]], "new"),
    ],
    ids=["colour", "label", "direction", "missing", "new"],
)  # fmt: skip
def test_a_change_of_a_picture_is_told(now: list[str], said: str) -> None:
    found = pictures.differences(LINES, now)
    assert found
    assert all(said in line or "more" in line for line in found), found


def test_order_and_half_a_pixel_are_no_change() -> None:
    assert not pictures.differences(LINES, LINES[::-1])
    kind, x, rest = CELL.split(" ", 2)
    assert not pictures.differences(LINES, put(CELL, f"{kind} {float(x) + 0.5:g} {rest}"))


def changed(at: tuple[int, ...], by: float) -> np.ndarray:
    """The weights with another value in one place."""
    other = WEIGHTS.copy()
    other[at] += by
    return other


@pytest.mark.parametrize(
    "now",
    [WEIGHTS[:, [1, 0, 2, 3]], WEIGHTS.swapaxes(2, 3), changed((1, 2, 3, 4), 0.01), WEIGHTS[:, :3], WEIGHTS * 1.001],
    ids=["heads", "axes", "digit", "fewer", "scale"],
)
@pytest.mark.parametrize("name", ["part/weights", "part/renamed"])
def test_a_change_of_an_array_is_told(name: str, now: np.ndarray) -> None:
    held = digest.digest("part/weights", {"of": WEIGHTS})
    assert [*digest.differences(held, digest.digest(name, {"of": now}))]


def test_another_name_and_the_last_bits_are_no_change() -> None:
    held = digest.digest("part/weights", {"of": WEIGHTS})
    assert not [*digest.differences(held, digest.digest("part/renamed", {"of": WEIGHTS.astype(np.float32)}))]


@pytest.mark.parametrize("same", [True, False])
def test_a_printed_number_may_differ_in_its_last_place_on_another_machine_alone(
    monkeypatch: pytest.MonkeyPatch, same: bool
) -> None:
    monkeypatch.setattr(pictures, "is_same_machine", lambda: same)
    number = next(line for line in LINES if line.startswith("text") and line.endswith('3"'))
    found = pictures.differences(LINES, put(number, number[:-2] + '4"'))
    assert bool(found) == same
