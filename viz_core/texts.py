"""All words shown, in one `<language>.toml` beside the code that shows them; values are put in at [[name]].

A translation is laid over the English file, so that what is no text stands once, in English files.
"""

import functools
import re
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
"""The end of a file's line between two Chinese characters, which a browser would show as a blank."""
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
    """The function, which speaks as this thread does now, in whatever thread it is called."""
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
            `sites`. A table of a page or folder follows after a dot: `decoding.tree`, `app.notices`.
    """
    return texts_in(name, language())


@functools.cache
def texts_in(name: str, language: str) -> Mapping[str, Any]:
    """The same in another language than that of the app."""
    folder, _, table = name.partition(".")
    own = (PAGES / folder / f"{DEFAULT_LANGUAGE}.toml", CORE / folder / f"{DEFAULT_LANGUAGE}.toml")
    file = next((each for each in own if each.exists()), None)
    if file is None:
        file, table = CORE / f"{DEFAULT_LANGUAGE}.toml", folder
    found = _read(file, language)
    return found[table] if table else found  # type: ignore[no-any-return]


@functools.cache
def _read(file: Path, language: str) -> Mapping[str, Any]:
    tables = tomllib.loads(file.read_text("utf-8"))
    translation = file.with_stem(language)
    if language == DEFAULT_LANGUAGE or not translation.exists():
        return tables
    return laid_over(tables, _flowing(tomllib.loads(translation.read_text("utf-8"))))  # type: ignore[no-any-return]


def _flowing(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: _flowing(each) for name, each in value.items()}
    if isinstance(value, list):
        return [_flowing(each) for each in value]
    return flowing(value) if isinstance(value, str) else value


def flowing(text: str) -> str:
    """A text without the ends of its file's lines inside Chinese, which knows no blanks."""
    return _BROKEN.sub("", text)


def laid_over(first: Any, other: Any) -> Any:
    """`other` in place of `first`: of tables key by key, of lists of tables entry by entry; a missing rest is that of `first`."""
    if isinstance(first, Mapping) and isinstance(other, Mapping):
        return {**first, **{key: laid_over(first.get(key), value) for key, value in other.items()}}
    if _tables(first) and _tables(other):
        return [laid_over(each, new) for each, new in zip(first, other, strict=False)] + first[len(other) :]
    return other


def _tables(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(each, Mapping) for each in value)


def fill(template: str, values: Mapping[str, Any]) -> str:
    """Puts values in their places.

    Raises:
        KeyError: the template has a place for which there is no value.
    """
    return _PLACE.sub(lambda place: str(values[place[1]]), template)


def enumerated(words: Iterable[str]) -> str:
    """Some words as a list, parted as the language of the app parts them."""
    return str(texts("joined")["list"]).join(words)


def named(name: str, value: str) -> str:
    """What is said of something, behind its name."""
    return fill(texts("joined")["named"], {"name": name, "value": value})


def visible(text: str, keep: str = "") -> str:
    """The text with every character that prints nothing as ⟨its code in hexadecimal⟩, except those of `keep`."""
    return "".join(c if c.isprintable() or c in keep else f"⟨{ord(c):02X}⟩" for c in text)
