"""The rules of the folders that import-linter cannot check."""

import ast
import re
from pathlib import Path

from viz_core.app.chosen import DEFAULT_TEXT

ROOT = Path(__file__).parents[1]
SHOWN = [ROOT / "app.py", *sorted((ROOT / "pages").rglob("*.py")), *sorted((ROOT / "viz_core" / "app").rglob("*.py"))]
SHOWN += [*sorted((ROOT / "viz_core" / "figures").rglob("*.py")), *sorted((ROOT / "viz_core" / "browser").rglob("*.py"))]
ENGLISH = re.compile(r"[A-Za-z]{2,} [a-z]{2,} [a-z]{2,}")
"""Three words in a row."""
NO_TEXT = re.compile(r"[<>{}\\_]|--|;$")
"""Markup, styles, patterns."""


def imported(path: Path) -> set[str]:
    """The modules that a file imports, by their full names."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def test_a_page_is_thin_and_nothing_is_shown_by_merely_standing_in_its_file() -> None:
    """Streamlit's magic, where it is on, writes a note behind a constant on the page."""
    for path in (ROOT / "pages").glob("*/page.py"):
        assert not {name.split(".")[0] for name in imported(path)} & {"torch", "plotly", "safetensors"}, path
        _, *others = ast.parse(path.read_text("utf-8")).body
        assert not [node.lineno for node in others if isinstance(node, ast.Expr) and not isinstance(node.value, ast.Call)], path


def test_streamlits_state_and_address_are_touched_in_one_file() -> None:
    assert touching(r"\bst\.session_state\b") == touching(r"\bst\.query_params\b") == {"viz_core/app/session.py"}


def test_nothing_is_kept_in_streamlits_caches_whose_bounds_are_entries() -> None:
    assert not touching(r"\bst\.cache_(?:data|resource)\b")


def touching(what: str) -> set[str]:
    return {str(path.relative_to(ROOT)) for path in SHOWN if re.search(what, path.read_text("utf-8"))}


def test_no_sentence_stands_outside_the_texts() -> None:
    """What is shown stands in the `.toml` of a language; a translator needs no Python."""
    assert not {path: found for path in SHOWN if path.stem != "downloads" and (found := sentences(path))}


def sentences(path: Path) -> list[str]:
    """What of a file is English and may be shown."""
    tree = ast.parse(path.read_text("utf-8"))
    silent: set[int] = set()  # docstrings, notes behind constants, what is raised or logged for programmers, columns of CSV
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            silent.add(id(node.value))
        elif isinstance(node, ast.Raise | ast.Assert) or (isinstance(node, ast.Call) and ast.unparse(node.func).startswith("log.")):
            silent |= {id(each) for each in ast.walk(node)}
        elif isinstance(node, ast.Call) and ast.unparse(node.func) in ("p.offer", "written"):
            silent |= {id(part) for columns in node.args for part in ast.walk(columns)}
        elif isinstance(node, ast.Call) and ast.unparse(node.func) == "html_table":
            silent.add(id(node.args[0]))  # CSS classes
        elif isinstance(node, ast.Assign) and "columns" in ast.unparse(node.targets[0]).lower():
            silent |= {id(part) for part in ast.walk(node.value)}
    texts = [each for each in ast.walk(tree) if isinstance(each, ast.Constant) and isinstance(each.value, str)]
    shown = [str(each.value) for each in texts if id(each) not in silent]
    return [text for text in shown if ENGLISH.search(text) and not NO_TEXT.search(text) and text != DEFAULT_TEXT]
