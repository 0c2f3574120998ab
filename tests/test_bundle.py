"""Modules become one text that holds each of them once, in an order in which it runs."""

from __future__ import annotations

import re

import pytest

from viz_core.components.bundle import JS, bundle

ENTRIES = sorted(str(path.relative_to(JS)) for path in JS.glob("*/main.js"))


@pytest.mark.parametrize("entry", ENTRIES)
def test_a_bundle_imports_nothing_and_declares_each_name_once(entry: str) -> None:
    text = bundle(entry)
    assert not re.search(r"^\s*import\b", text, re.MULTILINE)
    assert len(re.findall(r"^export default function", text, re.MULTILINE)) == 1
    assert len(re.findall(r"^export\b", text, re.MULTILINE)) == 1
    names = re.findall(r"^(?:async )?(?:function\*?|const|let|class) (\w+)", text, re.MULTILINE)
    assert len(names) == len(set(names)), [name for name in names if names.count(name) > 1]


def test_a_module_stands_after_what_it_imports() -> None:
    text = bundle("remote/main.js")
    assert text.index("function theStore") < text.index("function installKeys") < text.index("export default")
