"""Finds a checkpoint by its name, for Python, the commands and the app.

A name is that of a folder in $VIZ_CHECKPOINTS (set by `viz-core app --checkpoints`) or of a shipped folder. The path of a folder
works as well.
"""

import os
from collections.abc import Iterable
from difflib import SequenceMatcher
from pathlib import Path

from viz_core.errors import CheckpointError
from viz_core.home import CHECKPOINTS_BY, HOME

SHIPPED = HOME / "checkpoints"
LISTED = 12
"""How many names an error message lists."""


def folders() -> list[Path]:
    """The folders with named checkpoints: the user's own, if any, then the shipped one."""
    own = os.environ.get(CHECKPOINTS_BY)
    return [*([Path(own)] if own else []), SHIPPED]


def within(roots: Iterable[Path]) -> dict[str, Path]:
    """Name → folder of everything in these folders that looks like a checkpoint; of equal names, the first wins."""
    by_name: dict[str, Path] = {}
    for root in roots:
        for path in sorted(root.glob("*/config.json")):
            by_name.setdefault(path.parent.name, path.parent)
    return by_name


def checkpoints() -> dict[str, Path]:
    """The checkpoints that `load` takes by name, name → folder: those of $VIZ_CHECKPOINTS first, then the shipped ones.

    They look like checkpoints; only `load` verifies them.
    """
    return within(folders())


def find(model: str | Path) -> Path:
    """The folder of a model, given as a name or as a path. A checkpoint at that path wins over one of that name.

    Raises:
        CheckpointError: there is neither; the message lists the names, the closest first.
    """
    given, path = os.fspath(model), Path(model)
    if given and _exists(path / "config.json"):
        return path
    known = checkpoints()
    if given.rstrip("/") in known:
        return known[given.rstrip("/")]
    if given and _exists(path):
        return path  # reading it says what is missing
    raise CheckpointError(_unknown(given, known))


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:  # such as a name that is too long
        return False


def _unknown(given: str, known: Iterable[str]) -> str:
    wanted = Path(given).name.lower()
    names = sorted(known, key=lambda name: -SequenceMatcher(None, name.lower(), wanted).ratio())
    listed = ", ".join(names[:LISTED]) + (f" and {len(names) - LISTED} more" if names[LISTED:] else "")
    wrong = [folder for folder in folders()[:-1] if not folder.is_dir()]
    hint = f"; {CHECKPOINTS_BY} is {wrong[0]}, which is no folder" if wrong else ""
    there = f"there are {listed}" if listed else "there are none"
    return f"{given[:200] or '(nothing)'}: no such checkpoint folder, and no model of that name; {there}{hint}"
