"""Source code of the program's own functions, with line numbers."""

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
    code: Any = functools.reduce(getattr, path.split("."), importlib.import_module(module))
    lines, start = inspect.getsourcelines(inspect.unwrap(code))
    return textwrap.dedent("".join(lines)), module.replace(".", "/") + ".py", start


def lines_with(name: str, text: str) -> list[int]:
    """The line numbers, in the file, of a function's lines that contain a text; none if the text is empty."""
    source, _, start = source_of(name)
    return [number for number, line in enumerate(source.splitlines(), start) if text and text in line]


def docstring_lines(source: str, start: int) -> range:
    """The line numbers, in the file, of a definition's docstring."""
    definition = ast.parse(source).body[0]
    if not isinstance(definition, ast.FunctionDef | ast.ClassDef) or ast.get_docstring(definition) is None:
        return range(0)
    docstring = definition.body[0]
    return range(start + docstring.lineno - 1, start + (docstring.end_lineno or docstring.lineno))
