"""One HTML file with a view in it, for slides or a course page: it needs no server and no network, and steps by the same keys.

Typed text is only ever data: JSON in which no sign can end a script, from which the scripts make text nodes. The file's own policy
lets the browser run these scripts and nothing else, and load nothing from anywhere.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from viz_core.browser.inline import inline_code, inline_json, policy
from viz_core.texts import fill, language, texts, visible


@dataclass(frozen=True)
class Part:
    """One browser-side part that the file shows.

    Attributes:
        name: such as `stage`; parts of one name have one script and one style.
        payload: what its mount function reads.
        script: one text that defines the mount function at its top level.
        mount: that function's name: (root, payload, store).
        style: its style sheet.
    """

    name: str
    payload: bytes
    script: str
    mount: str
    style: str


def alone(
    title: str,
    heading: str,
    parts: Sequence[Part],
    *,
    frame: str,
    styles: Mapping[str, str],
    theme: Mapping[str, Any],
    limits: Mapping[str, Any],
    view: Mapping[str, Any],
    player: Mapping[str, Any],
    token_strip: Mapping[str, Any],
) -> bytes:
    """The file, UTF-8.

    Args:
        title: of the document, as typed.
        heading: what stands over the view, beside the player.
        frame: the script of `html_file/html_file.js`, which draws player and token strip and mounts the parts.
        styles: style sheets by name: `html_file` for the document, `player`, `token_strip`.
        theme, limits, view: what the store starts with.
        player, token_strip: what these two show.

    Raises:
        ValueError: a script or style sheet of ours holds what would end it too early.
    """
    data = {"theme": theme, "limits": limits, "view": view, "player": player, "token_strip": token_strip} | {
        "styles": dict(styles) | {part.name: part.style for part in parts},
        "parts": [{"name": part.name, "payload": base64.b64encode(part.payload).decode()} for part in parts],
    }
    # Each part is a module of its own, so that their names may be the same; the frame comes last and mounts them.
    named = {part.name: f"{part.script}\n(globalThis.vizMounts ??= {{}}).{part.name} = {part.mount};" for part in parts}
    scripts = [inline_code(script) for script in [*named.values(), f"{frame}\nopenAlone(globalThis.vizMounts ?? {{}});"]]
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
{"".join(f'<script type="module">{script}</script>{chr(10)}' for script in scripts)}</body>
</html>
""".encode()
