"""The code that is shown: the very source, coloured, and never markup."""

from __future__ import annotations

import re
from html import unescape

import pytest

from viz_core.app.code_panel import coloured, source_of
from viz_core.texts import texts

SOURCE = '''def fill(x, mask):  # <b>x</b>
    """Not a keyword: for and in.

    mask: True or False."""
    return f"{x} is" if mask else None
'''
SHOWN = [entry["function"] for name in ("overview", "output", "tokens", "residual") for entry in texts(name).get("code", [])]


def marked(line: str, name: str) -> list[str]:
    return [unescape(part) for part in re.findall(rf'<span class="{name}">(.*?)</span>', line)]


def test_each_kind_of_word_is_marked_and_a_docstring_is_one_string() -> None:
    lines = coloured(SOURCE)
    assert marked(lines[0], "keyword") == ["def"]
    assert marked(lines[0], "function") == ["fill"]
    assert marked(lines[0], "comment") == ["# <b>x</b>"]
    assert [marked(line, "string") for line in lines[1:4]] == [
        ['"""Not a keyword: for and in.'],
        [""],
        ['    mask: True or False."""'],
    ]
    assert marked(lines[4], "keyword") == ["return", "if", "else", "None"]
    assert "".join(marked(lines[4], "string")).startswith('f"')


@pytest.mark.parametrize("name", SHOWN)
def test_the_text_of_each_line_stays_what_it_is(name: str) -> None:
    source, file, start = source_of(name)
    lines = [unescape(re.sub("<[^>]*>", "", line)) for line in coloured(source)]
    assert lines == source.splitlines()
    assert len(lines) > 1 and start >= 1 and file.startswith("viz_core/")
