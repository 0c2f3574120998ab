"""The code that is shown: the very source, coloured, and never markup."""

import ast
import re
from html import unescape
from pathlib import Path

from viz_core.app.code_panel import coloured
from viz_core.source import lines_with, source_of
from viz_core.texts import texts

ROOT = Path(__file__).parents[2]
POINTERS = [
    (f"{file.parent.name}.{key}.{index}", entry["function"], entry.get("highlight", ""))
    for file in sorted((ROOT / "pages").glob("*/en.toml"))
    for key, entries in texts(file.parent.name).items()
    if key.startswith("code") and isinstance(entries, list)
    for index, entry in enumerate(entries)
]
"""Every pointer of every page into the code: where it stands, the function, and the text of the highlighted line."""


def test_the_text_of_each_line_stays_what_it_is() -> None:
    for name in sorted({function for _, function, _ in POINTERS}):
        source, file, start = source_of(name)
        lines = [unescape(re.sub("<[^>]*>", "", line)) for line in coloured(source)]
        assert lines == source.splitlines(), name
        assert start >= 1 and (ROOT / file).read_text("utf-8").splitlines()[start - 1].strip() == lines[0], name


def test_every_pointer_highlights_lines_that_compute() -> None:
    """Found in the function, and in its code: neither in its docstring nor in the line that defines it."""
    for name, function, text in POINTERS:
        source, _, start = source_of(function)
        defined = ast.parse(source).body[0]
        assert isinstance(defined, ast.FunctionDef | ast.ClassDef), name
        documented = [
            number
            for node in ast.walk(defined)
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and ast.get_docstring(node)
            for number in range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1)
        ]
        highlighted = [number - start + 1 for number in lines_with(function, text)]
        assert bool(highlighted) or not text, name
        assert not {defined.lineno, *documented} & set(highlighted), name
