"""Who may import whom, where import-linter cannot look: pages are files that are run, not modules."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ALLOWED = {"ui", "figures", "components", "analysis", "explain", "sites"}
PAGES = sorted((ROOT / "pages").rglob("*.py"))


def imported(path: Path) -> set[str]:
    """The modules that a file imports, by their full names."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return names


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_a_page_is_thin(path: Path) -> None:
    """It puts together what figures, analysis and the frame give it, and computes and draws nothing itself."""
    for name in imported(path):
        root, _, rest = name.partition(".")
        assert root not in {"torch", "plotly", "safetensors"}, name
        assert root != "viz_core" or rest.split(".")[0] in ALLOWED, name


def test_there_are_pages() -> None:
    assert len(PAGES) >= 10
