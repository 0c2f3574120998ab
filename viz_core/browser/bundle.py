"""Bundler: a JavaScript module and all its imports as one text, without a build step; Streamlit takes one text per component.

The modules are plain ES modules that a browser could load as they are. The bundle has each module once, imports first.
A part is `<part>.js`, which exports `mount<Part>(root, payload, store)`, and `<part>.css`; a module of the kit may bring a style
sheet of its own. Its folder is `viz_core/browser/<part>/` where several pages use it, else `pages/<page>/browser/`.

In a self-contained HTML file, data and scripts are inlined safely, with the Content-Security-Policy that allows only these.
"""

from __future__ import annotations

import base64
import functools
import hashlib
import json
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from viz_core.home import HOME

BROWSER = Path(__file__).resolve().parent
PAGES = HOME / "pages"
MADE_OF = {"side_by_side": ("attention_view",)}
"""Parts that contain others and need their style sheets, too."""
CHOSEN = BROWSER / "kit" / "chosen.css"
"""The style sheet of what is chosen, which the page and every part have."""
_IMPORT = re.compile(r"""^import\s*\{[^}]*\}\s*from\s*["'](\.[^"']+)["'];?[ \t]*$""", re.MULTILINE)
_EXPORT = re.compile(r"^export\s+(?=(?:async\s+)?(?:function|const|let|class)\s+(\w+|\{[^}]*\}))", re.MULTILINE)
_ENDS = re.compile(r"<(?=!--|/?(?:script|style))", re.IGNORECASE)
"""What would end a script or a style sheet, or change how the browser reads it."""
_UNSAFE = {ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&\u2028\u2029"}


def part(name: str) -> Path:
    """The folder of a part.

    Raises:
        FileNotFoundError: there is no such part.
    """
    shared = BROWSER / name
    if shared.is_dir():
        return shared
    found = next(PAGES.glob(f"*/browser/{name}.js"), None)
    if found is None:
        raise FileNotFoundError(f"no browser-side part is called {name}")
    return found.parent


def script(name: str) -> str:
    """A part's module with all it imports, without a default export."""
    return bundle(part(name) / f"{name}.js")


def mount_name(name: str) -> str:
    """The function that a part's module exports: `mountNextToken` of `next_token`."""
    return "mount" + "".join(word.capitalize() for word in name.split("_"))


@functools.cache
def component_script(name: str) -> str:
    """What Streamlit runs for a part: its own `main.js`, or a default export that mounts it."""
    folder = part(name)
    own = next(file for file in (folder / "main.js", folder / f"{name}.js") if file.exists())
    text = bundle(own)
    if "export default" in text:
        return text
    wrapper = f"export default (streamlit) => face(streamlit, {mount_name(name)});"
    return bundle(BROWSER / "kit" / "payload.js", own) + "\n" + wrapper


def component_part(name: str) -> str:
    """A part as the module that the server gives out: what Streamlit runs for it, and its style sheet."""
    return f"{component_script(name)}\nexport {{ style }};\nconst style = {json.dumps(css(name))};\n"


@functools.cache
def bundle(*entries: Path) -> str:
    """One text with the modules `entries` last.

    What a module exports becomes a plain name, so exported names must differ between the modules that meet; its other names are its
    own. A module with `export default` stays as it is.

    Raises:
        FileNotFoundError: an import names a file that does not exist.
        ValueError: modules import each other in a circle, or export the same name.
    """
    seen: list[Path] = []
    for entry in entries:
        _collect(entry.resolve(), seen, ())
    exported = [_scoped(path.read_text("utf-8")) for path in seen]
    names = Counter(name for _, exports in exported for name in exports)
    if twice := [name for name, times in names.items() if times > 1]:
        raise ValueError(f"exported by two modules: {', '.join(twice)}")
    return "\n".join(text for text, _ in exported)


def _scoped(text: str) -> tuple[str, list[str]]:
    """A module as one statement that gives its exports their names, and these names."""
    plain = _EXPORT.sub("", _IMPORT.sub("", text))
    names = [name for found in _EXPORT.findall(text) for name in re.findall(r"\w+", found)]
    if "export default" in text:
        return plain, names
    listed = ", ".join(names)
    return f"const {{ {listed} }} = (() => {{\n{plain}\nreturn {{ {listed} }};\n}})();", names


def css(name: str) -> str:
    """The style sheet of a part, behind those of the kit's modules that it uses and of the parts that it is made of."""
    modules: list[Path] = []
    entry = part(name) / f"{name}.js"
    if entry.exists():
        _collect(entry.resolve(), modules, ())
    sheets = [CHOSEN, *(module.with_suffix(".css") for module in modules if module.parent.name == "kit")]
    sheets += [part(each) / f"{each}.css" for each in (*MADE_OF.get(name, ()), name)]
    return "\n".join(sheet.read_text("utf-8") for sheet in sheets if sheet.exists())


def _collect(path: Path, seen: list[Path], importers: tuple[Path, ...]) -> None:
    if path in importers:
        raise ValueError(f"modules import each other in a circle: {' → '.join(each.name for each in (*importers, path))}")
    for name in _IMPORT.findall(path.read_text("utf-8")):
        needed = _imported(path.parent / name)
        if needed not in seen:
            _collect(needed, seen, (*importers, path))
    if path not in seen:
        seen.append(path)


@functools.cache
def _imported(file: Path) -> Path:
    """The file that an import names: in a wheel, a page does not lie beside the package as it does in the repository."""
    file, beside = file.resolve(), HOME.resolve() / "viz_core" / "browser"
    return BROWSER / file.relative_to(beside) if file.is_relative_to(beside) else file


def inline_json(value: Any) -> str:
    """JSON in which no character can end a script: for `<script type="application/json">`.

    Raises:
        ValueError: a number is not finite.
    """
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).translate(_UNSAFE)


def inline_code(text: str) -> str:
    """A script or style sheet of ours, checked; with line ends as the browser counts them into the hash.

    Raises:
        ValueError: it holds what would end it too early.
    """
    if _ENDS.search(text):
        raise ValueError(f"would end early in HTML: {_ENDS.split(text)[1][:40]!r}")
    return text.replace("\r\n", "\n")


def policy(scripts: Sequence[str], *more: str) -> str:
    """A Content-Security-Policy: the browser runs these scripts and nothing else, and loads nothing from anywhere.

    Args:
        scripts: exactly as they stand between their tags.
        more: further directives, such as `img-src data:`.
    """
    named = " ".join(f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'" for script in scripts)
    # Style attributes colour what is drawn; nothing can be loaded through them.
    own = ("default-src 'none'", f"script-src {named}", "style-src 'unsafe-inline'", "base-uri 'none'", "form-action 'none'")
    return "; ".join([*own, *more])
