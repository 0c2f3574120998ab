"""The program's own source: that of a function, and the lines in it that are meant."""

import ast
import functools
import importlib
import inspect
import textwrap
from typing import Any


@functools.cache
def source_of(name: str) -> tuple[str, str, int]:
    """The source of `package.module:object.attribute`, its file inside the project, and its first line."""
    module, _, path = name.partition(":")
    found: Any = functools.reduce(getattr, path.split("."), importlib.import_module(module))
    lines, start = inspect.getsourcelines(inspect.unwrap(found))
    return textwrap.dedent("".join(lines)), module.replace(".", "/") + ".py", start


def lines_with(name: str, text: str) -> list[int]:
    """The numbers, in the file, of the lines of a function that hold a text; none where it is empty."""
    source, _, start = source_of(name)
    return [number for number, line in enumerate(source.splitlines(), start) if text and text in line]


def docstring_lines(source: str, start: int) -> range:
    """The numbers of its lines; none where there is no docstring."""
    defined = ast.parse(source).body[0]
    if not isinstance(defined, ast.FunctionDef | ast.ClassDef) or ast.get_docstring(defined) is None:
        return range(0)
    docstring = defined.body[0]
    return range(start + docstring.lineno - 1, start + (docstring.end_lineno or docstring.lineno))
