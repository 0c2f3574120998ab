"""Modules become one text that holds each of them once, in an order in which it runs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from viz_core.browser.bundle import bundle, component_script

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
DECLARED = re.compile(r"^(?:async )?(?:function\*?|const|let|class) (\w+)", re.MULTILINE)
SCOPED = re.compile(r"^const \{ (.*?) \} = \(\(\) => \{$.*?^\}\)\(\);$", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("name", PARTS)
def test_a_bundle_imports_nothing_and_declares_each_name_once(name: str) -> None:
    text = component_script(name)
    assert not re.search(r"^\s*import\b", text, re.MULTILINE)
    assert len(re.findall(r"^export default (?:function|\(streamlit\))", text, re.MULTILINE)) == 1
    assert len(re.findall(r"^export\b", text, re.MULTILINE)) == 1
    exported = [name for names in SCOPED.findall(text) for name in names.split(", ")]
    names = exported + DECLARED.findall(SCOPED.sub("", text))  # of two, the browser would run nothing, without a word on the page
    assert names
    assert len(names) == len(set(names))


def test_two_modules_may_not_export_the_same_name_but_have_names_of_their_own(tmp_path: Path) -> None:
    (tmp_path / "a.js").write_text("const SIZE = 1;\nexport const a = SIZE;\n")
    (tmp_path / "b.js").write_text('import { a } from "./a.js";\nconst SIZE = 2;\nexport const b = a + SIZE;\n')
    assert bundle(tmp_path / "b.js").count("const SIZE") == 2
    (tmp_path / "c.js").write_text('import { a } from "./a.js";\nexport function b() {}\n')
    (tmp_path / "d.js").write_text('import { b } from "./b.js";\nimport { c } from "./c.js";\n')
    with pytest.raises(ValueError, match="two modules: b"):
        bundle(tmp_path / "d.js")


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
    assert [line for line in lines if re.match(r"const \w", line)] == [
        "const one = 1;",
        "const two = 2;",
        "const three = one + two;",
    ]


def test_several_names_may_be_exported_at_once(tmp_path: Path) -> None:
    (tmp_path / "a.js").write_text("export const { one, two } = window.payload;\n")
    (tmp_path / "b.js").write_text('import { one, two } from "./a.js";\nexport const three = one + two;\n')
    assert bundle(tmp_path / "b.js").startswith("const { one, two } = (() => {\nconst { one, two } = window.payload;")
