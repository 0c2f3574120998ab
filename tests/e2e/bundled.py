"""Our scripts for the page of a test, with all that their modules export: bundled as the app's are, but for their names."""

import functools
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]
STYLE = """
import text from "viz:style/{name}";
document.head.append(Object.assign(document.createElement("style"), {{ textContent: text }}));
"""


@functools.cache
def bundled(style: str = "", **given: str) -> str:
    """A script that gives the page's window these names.

    Args:
        style: the part whose style sheet it puts at the head of the page.
        given: name → a module, such as `viz:inner/overview`: all that the overview is made of, see `viz_core/web/modules.mjs`.
    """
    lines = [f'import * as {name} from "{module}";\nwindow.{name} = {{ ...{name} }};' for name, module in given.items()]
    entry = "\n".join([STYLE.format(name=style) if style else "", *lines])
    command = ["node", "viz_core/web/build.mjs", "--stdin"]
    return subprocess.run(command, cwd=ROOT, input=entry, capture_output=True, text=True, check=True).stdout


def mount_name(name: str) -> str:
    """The function that a part's module exports: `mountNextToken` of `next_token`."""
    return "mount" + "".join(word.capitalize() for word in name.split("_"))
