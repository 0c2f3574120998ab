"""Modules become one text that holds each of them once, in an order in which it runs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from viz_core.browser.bundle import bundle, component_script, script

PARTS = [
    "access",
    "attention_view",
    "beam_tree",
    "comparison",
    "lines",
    "next_token",
    "overview",
    "player",
    "share",
    "side_by_side",
    "switchboard",
    "top_bar",
]
DECLARED = re.compile(r"^(?:export )?(?:async )?(?:function\*?|const|let|class) (\w+)", re.MULTILINE)
ALSO = re.compile(r"^(?:const|let) [^({\n]*", re.MULTILINE)  # const A = 1, B = 2


@pytest.mark.parametrize("name", PARTS)
def test_a_bundle_imports_nothing_and_declares_each_name_once(name: str) -> None:
    text = component_script(name)
    assert not re.search(r"^\s*import\b", text, re.MULTILINE)
    assert len(re.findall(r"^export default (?:function|\(streamlit\))", text, re.MULTILINE)) == 1
    assert len(re.findall(r"^export\b", text, re.MULTILINE)) == 1
    assert not twice(text)


def twice(text: str) -> set[str]:
    """Names that are declared more than once at the top: the browser then runs nothing of it, without a word on the page."""
    names = DECLARED.findall(text) + [name for line in ALSO.findall(text) for name in re.findall(r", (\w+) =", line)]
    return {name for name in names if names.count(name) > 1}


def test_a_name_that_two_modules_declare_is_found() -> None:
    assert twice("const A = 1, B = 2;\nfunction c() {}\nlet B = 3;\nasync function c() {}") == {"B", "c"}
    assert not twice(script("html_file"))


def test_a_circle_of_imports_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "a.js").write_text('import { b } from "./b.js";\nexport const a = 1;\n')
    (tmp_path / "b.js").write_text('import { a } from "./a.js";\nexport const b = 1;\n')
    with pytest.raises(ValueError, match=r"a\.js → b\.js → a\.js"):
        bundle(tmp_path / "a.js")


def test_a_module_stands_after_what_it_imports() -> None:
    text = component_script("player")
    assert text.index("function theStore") < text.index("function installKeys") < text.index("export default")


def test_an_import_may_stand_on_several_lines(tmp_path: Path) -> None:
    (tmp_path / "a.js").write_text("export const one = 1;\nexport const two = 2;\n")
    (tmp_path / "b.js").write_text('import {\n  one,\n  two,\n} from "./a.js";\n\nexport const three = one + two;\n')
    lines = bundle(tmp_path / "b.js").splitlines()
    assert [line for line in lines if line] == ["const one = 1;", "const two = 2;", "const three = one + two;"]
