"""One HTML file with a view in it, for slides or a course page: it needs no server and no network, and steps by the same keys.

Typed text is only ever data: JSON in which no sign can end a script, from which the scripts make text nodes. The file's own policy
lets the browser run these scripts and nothing else, and load nothing from anywhere.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from viz_core.browser.bundle import css, inline_code, inline_json, mount_name, policy, script
from viz_core.texts import fill, language, texts, visible


@dataclass(frozen=True)
class Part:
    """One browser-side part that the file shows; those of one name have one script and one style.

    Attributes:
        name: such as `attention_view`.
        payload: what its mount function reads.
        script: one text that defines the mount function at its top level.
        style: its style sheet.
    """

    name: str
    payload: bytes
    script: str
    style: str


def alone(title: str, heading: str, parts: Sequence[Part], **data: Any) -> bytes:
    """The file, UTF-8.

    Args:
        title: of the document, as typed.
        heading: what stands over the view, beside the player.
        data: what `browser/html_file` reads beside the parts: theme, limits, view; player, top_bar.

    Raises:
        ValueError: a script or style sheet of ours holds what would end it too early.
    """
    styles = {name: css(name) for name in ("html_file", "player", "top_bar")}
    data |= {
        "styles": styles | {part.name: part.style for part in parts},
        "parts": [{"name": part.name, "payload": base64.b64encode(part.payload).decode()} for part in parts],
    }
    # Each part is a module of its own, so that their names may be the same; the frame comes last and mounts them.
    mounts = {part.name: f"(globalThis.vizMounts ??= {{}}).{part.name} = {mount_name(part.name)};" for part in parts}
    modules = {part.name: f"{part.script}\n{mounts[part.name]}" for part in parts}
    frame = f"{script('html_file')}\nopenAlone(globalThis.vizMounts ?? {{}});"
    scripts = [inline_code(module) for module in [*modules.values(), frame]]
    words = texts("app.downloads")
    return f"""<!doctype html>
<html lang="{language()}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{escape(policy(scripts, "img-src data: blob:"))}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(visible(title))}</title>
<style>{inline_code(styles["html_file"])}</style>
</head>
<body>
<header><h1>{escape(visible(heading))}</h1></header>
<main></main>
<noscript><p>{escape(words["no_script"])}</p></noscript>
<footer>{escape(fill(words["made"], {"name": texts("app.frame")["name"]}))}</footer>
<script type="application/json" id="data">{inline_json(data)}</script>
{"".join(f'<script type="module">{module}</script>{chr(10)}' for module in scripts)}</body>
</html>
""".encode()
