"""The files that hold what was recorded: gzip of a text, `# name` before the lines of each state or case."""

import gzip
from collections.abc import Mapping, Sequence
from pathlib import Path


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
