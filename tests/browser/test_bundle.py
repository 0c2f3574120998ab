"""What the browser runs is what the sources give; no sign in it ends a script, and no key of an input method reaches a listener."""

import re
import subprocess
from pathlib import Path

from viz_core.browser.bundle import APP, inline_code

ROOT = Path(__file__).parents[2]
ASKED = re.compile(
    r"""\b(?:connect|mount_below|show)\(\s*"([a-z_]+)",|\bpart="([a-z_]+)"|\bp\.answer\(\s*(\w+)\b(?![^()]*\bpart=)"""
)
PART = re.compile(r"^ +(\w+): \{ (?:mount|run): .*style: ", re.MULTILINE)


def build(option: str, entry: str = "") -> subprocess.CompletedProcess[str]:
    command = ["node", "viz_core/web/build.mjs", option]
    return subprocess.run(command, cwd=ROOT, input=entry, capture_output=True, text=True, check=False)


def test_the_bundle_has_every_part_that_a_page_asks_for() -> None:
    parts = {*PART.findall(build("--stdin", 'import { parts } from "viz:parts"; console.log(parts);').stdout)}
    sources = [*(ROOT / "viz_core" / "app").rglob("*.py"), *(ROOT / "pages").rglob("*.py")]
    asked = {"".join(names) for source in sources for names in ASKED.findall(source.read_text("utf-8"))}
    assert {"attention_view", "beam_tree", "player", "waves"} <= asked
    assert asked <= parts
    assert parts >= {path.stem for path in (ROOT / "pages").glob("*/browser/*.css")}, "a part with a style sheet"


def test_nothing_in_it_ends_a_script_early() -> None:
    text = APP.read_text("utf-8")
    assert inline_code(text) == text


def test_it_imports_nothing_and_gives_out_the_parts() -> None:
    text = APP.read_text("utf-8")
    assert not re.search(r"""\bimport\s*[{*"']""", text)
    assert re.search(r"export\{[\w$]+ as part\};?\s*$", text)


GUARD = "viz_core/browser/kit/composing.ts"
LISTENS = re.compile(r"""["'`]key(?:down|up|press)["'`]|\bonkey(?:up|press)\b|\.onkey\w+""")
COMPONENTS = re.compile(r"\bonKey(?!s\b|Down=\{(?:press\}|keys\())\w+")
"""In a component what listens is `keys(…)`, of `web/src/ui/elements.tsx`, or `press` that is made of it."""
FOLDERS = (ROOT / "viz_core" / "browser", ROOT / "viz_core" / "web" / "src", ROOT / "pages")
SCRIPTS = [*(path for folder in FOLDERS for path in folder.rglob("*.[jt]s*")), *(ROOT / "viz_core" / "app").rglob("*.py")]


def test_every_listener_for_keys_goes_through_the_guard() -> None:
    listening = [path.relative_to(ROOT).as_posix() for path in SCRIPTS if LISTENS.search(path.read_text("utf-8"))]
    assert [path for path in listening if "/vendor/" not in path] == [GUARD]
    components = {path.name: path.read_text("utf-8") for path in SCRIPTS if path.suffix == ".tsx"}
    assert [name for name, text in components.items() if COMPONENTS.search(text)] == []
    assert [name for name, text in components.items() if "={press}" in text and "const press = keys(" not in text] == []
