"""The folder of the talks: which there are, and the one that an address names."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

FOLDER = Path(__file__).parents[3] / "talks"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,79}")


def available(folder: Path = FOLDER) -> list[str]:
    """The names of the talks in a folder, in the order of the alphabet; none where there is no such folder."""
    return sorted(path.stem for path in folder.glob("*.toml") if find(path.stem, folder))


def find(name: str, folder: Path = FOLDER) -> Path | None:
    """The file of a talk named in an address; None where there is none.

    A name is letters, digits, - and _ only, so none leads out of the folder; nor does a link that lies in it.
    """
    path = folder / f"{name}.toml"
    if not _NAME.fullmatch(name) or not path.is_file() or path.resolve().parent != folder.resolve():
        return None
    return path


def file_name(title: str) -> str:
    """A name for the file of a recorded talk, made from its title: `find` finds it."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode()
    return (re.sub(r"[^A-Za-z0-9]+", "-", plain).strip("-").lower()[:60].strip("-") or "talk") + ".toml"
