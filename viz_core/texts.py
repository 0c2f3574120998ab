"""All texts shown, in one `<language>.toml` beside the code that shows them; values are put in at [[name]].

A translation is laid over the English file, so that keys other than texts stand once, in the English file. The browser gets
the tables that its parts name (`textsIn` in viz_core/web/src/texts.ts), printed by `python -m viz_core.texts <table> …`.
"""

import functools
import json
import re
import sys
import tomllib
from collections.abc import Callable, Iterable, Mapping
from contextvars import ContextVar
from pathlib import Path
from typing import Any, TypeVar

from viz_core.home import HOME

Result = TypeVar("Result")
DEFAULT_LANGUAGE = "en"
CORE = Path(__file__).parent
PAGES = HOME / "pages"
_PLACE = re.compile(r"\[\[(\w+)\]\]")
_WIDE = "\u3000-\u303f\u3400-\u9fff\uff00-\uffef"
_BROKEN = re.compile(f"(?<=[{_WIDE}”])\n(?=[{_WIDE}“«])")
"""A line break between two Chinese characters, which a browser would show as a space."""
_language: ContextVar[str] = ContextVar("language", default=DEFAULT_LANGUAGE)


@functools.cache
def languages() -> tuple[str, ...]:
    """The app's languages: those of the shell's texts."""
    return tuple(sorted(file.stem for file in (CORE / "app").glob("*.toml")))


def language() -> str:
    """The app's current language in this thread."""
    return _language.get()


def speak(chosen: str) -> None:
    """Sets the language for all that this thread shows from now on."""
    _language.set(chosen)


def in_this_language(function: Callable[[], Result]) -> Callable[[], Result]:
    """The function bound to this thread's current language, whichever thread calls it."""
    chosen = language()

    def call() -> Result:
        before = _language.set(chosen)
        try:
            return function()
        finally:
            _language.reset(before)

    return call


def texts(name: str) -> Mapping[str, Any]:
    """The texts of a page or folder in the language of the app, or one table of them.

    Args:
        name: a page, such as `tokens`; a folder of viz_core, such as `edits`; else a table of viz_core's own texts, such as
            `sites`. A table of a page or folder follows after a dot: `decoding.tree`, `app.notices`, `app.lecture.bar`.
    """
    return texts_in(name, language())


@functools.cache
def texts_in(name: str, language: str) -> Mapping[str, Any]:
    """`texts` in a given language."""
    folder, _, table = name.partition(".")
    own = (PAGES / folder / f"{DEFAULT_LANGUAGE}.toml", CORE / folder / f"{DEFAULT_LANGUAGE}.toml")
    file = next((path for path in own if path.exists()), None)
    if file is None:
        file, table = CORE / f"{DEFAULT_LANGUAGE}.toml", folder
    tables = _read(file, language)
    return functools.reduce(lambda inner, key: inner[key], table.split("."), tables) if table else tables


@functools.cache
def _read(file: Path, language: str) -> Mapping[str, Any]:
    tables = tomllib.loads(file.read_text("utf-8"))
    translation = file.with_stem(language)
    if language == DEFAULT_LANGUAGE or not translation.exists():
        return tables
    return laid_over(tables, _flowing(tomllib.loads(translation.read_text("utf-8"))))  # type: ignore[no-any-return]


def _flowing(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: _flowing(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [_flowing(inner) for inner in value]
    return flowing(value) if isinstance(value, str) else value


def flowing(text: str) -> str:
    """Removes line breaks between Chinese characters, which have no spaces between them."""
    return _BROKEN.sub("", text)


def laid_over(first: Any, other: Any) -> Any:
    """`other` over `first`: tables key by key, lists of tables entry by entry; what `other` lacks is taken from `first`."""
    if isinstance(first, Mapping) and isinstance(other, Mapping):
        return {**first, **{key: laid_over(first.get(key), value) for key, value in other.items()}}
    if _tables(first) and _tables(other):
        return [laid_over(old, new) for old, new in zip(first, other, strict=False)] + first[len(other) :]
    return other


def _tables(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(entry, Mapping) for entry in value)


def fill(template: str, values: Mapping[str, Any]) -> str:
    """Puts values in at their [[name]]; KeyError for a name without a value."""
    return _PLACE.sub(lambda place: str(values[place[1]]), template)


def enumerated(words: Iterable[str]) -> str:
    """Words joined by the list separator of the app's language."""
    return str(texts("joined")["list"]).join(words)


def named(name: str, value: str) -> str:
    """A name and its value, as in «name: value»."""
    return fill(texts("joined")["named"], {"name": name, "value": value})


def visible(text: str, keep: str = "") -> str:
    """The text with every character that prints nothing as ⟨its code in hexadecimal⟩, except those of `keep`."""
    return "".join(c if c.isprintable() or c in keep else f"⟨{ord(c):02X}⟩" for c in text)


if __name__ == "__main__":
    print(json.dumps({code: {name: texts_in(name, code) for name in sys.argv[1:]} for code in languages()}, ensure_ascii=False))
