"""A key that an input method takes reaches no listener of ours."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
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
