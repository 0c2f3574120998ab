"""The README's list of link parameters is the one that the pages declare."""

from __future__ import annotations

import re
from pathlib import Path

from tests.pages.test_all_pages import NAMES
from viz_core.app.controls import declared

README = Path(__file__).parents[1] / "README.md"


def listed() -> str:
    """The list as it should stand in the README."""
    rows = ["| page | its own parameters |", "|---|---|"]
    for page in NAMES:
        own = [f"`{each.name}` {each.values()}".strip() for each in declared(page).values()]
        rows += [f"| `/{page}` | {', '.join(own)} |"] if own else []
    return "\n".join(rows)


def test_the_readme_lists_the_controls_that_the_pages_declare() -> None:
    found = re.search(r"<!-- parameters -->\n(.*?)\n?<!-- /parameters -->", README.read_text("utf-8"), re.DOTALL)
    assert found
    assert found[1].strip() == listed(), f"put this between the two marks:\n{listed()}"
