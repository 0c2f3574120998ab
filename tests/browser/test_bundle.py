"""What the browser runs is what the sources give, and no sign in it ends a script or changes how a browser reads it."""

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
