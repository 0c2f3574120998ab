"""The folder of the talks, and a talk's file → a Talk and what is wrong in it: what is right still plays."""

import errno
import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

from viz_core.app.talks.blocks import MOST, Block, Checked, blocks, parse
from viz_core.app.talks.talk import Problem, Talk, TalkView
from viz_core.files import read_bytes
from viz_core.home import HOME
from viz_core.text_lines import encoding_of
from viz_core.texts import fill, texts

FOLDER = HOME / "talks"
_FILE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,79}")
LARGEST = 1_000_000
"""Bytes of a talk's file that are read at most."""
OWN = ("title", "minutes", "about", "lesson", "defaults")
_PLACE = re.compile(r" ?\(at (?:line (\d+), column \d+|end of document)\)$")


def available(folder: Path = FOLDER) -> list[str]:
    """The names of the talks in a folder, in the order of the alphabet; none where there is no such folder."""
    return sorted(path.stem for path in folder.glob("*.toml") if find(path.stem, folder))


def find(name: str, folder: Path = FOLDER) -> Path | None:
    """The file of a talk named in an address; None where there is none.

    A name is letters, digits, - and _ only, so none leads out of the folder; nor does a link that lies in it.
    """
    path = folder / f"{name}.toml"
    if not _FILE_NAME.fullmatch(name) or not path.is_file() or path.resolve().parent != folder.resolve():
        return None
    return path


def file_name(title: str) -> str:
    """A name for the file of a recorded talk, made from its title: `find` finds it."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode()
    return (re.sub(r"[^A-Za-z0-9]+", "-", plain).strip("-").lower()[:60].strip("-") or "talk") + ".toml"


def load(path: Path, pages: Collection[str] | None = None, names: Collection[str] | None = None) -> tuple[Talk, list[Problem]]:
    """Reads a talk.

    Args:
        path: of the TOML file.
        pages: the names that a view's page may have; None lets every name pass.
        names: those that the parameters of a view may have; None lets every name pass.

    Returns:
        The talk with every view that can be shown, and what is wrong, in the order of the lines.
    """
    try:
        content = read_bytes(path, LARGEST)
    except (OSError, ValueError) as error:
        if getattr(error, "errno", None) == errno.EFBIG:
            return Talk(path.stem, path.stem), [problem(0, "too_large", most=f"{LARGEST:,}")]
        return Talk(path.stem, path.stem), [problem(0, "unreadable", error=getattr(error, "strerror", None) or error)]
    try:
        text = content.decode(encoding_of(content))
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        return Talk(path.stem, path.stem), [problem(line, "not_utf8", byte=f"{content[error.start]:02X}")]
    return loads(text, path.stem, pages, names)


def loads(
    text: str, name: str, pages: Collection[str] | None = None, names: Collection[str] | None = None
) -> tuple[Talk, list[Problem]]:
    """The same from a text. name: of the talk, and its title where it has none."""
    head, *rest = blocks(text.replace("\r\n", "\n"))
    problems: list[Problem] = []
    top = Checked(head, _parse(head, problems) or {}, problems)
    for key in top.unknown(OWN):
        top.complain(key, "unknown_at_the_top", view="[[view]]")
    defaults = Checked(head, top.table("defaults"), problems).parameters(names)
    views: list[TalkView] = []
    for at, block in enumerate(rest[:MOST], 1):
        views += _views(block, at, defaults, pages, names, problems)
    if rest[MOST:]:
        problems.append(problem(rest[MOST].line, "too_many_views", most=MOST))
    if not views:
        problems.append(problem(0, "no_view") if rest else problem(0, "no_view_at_all", view="[[view]]"))
    talk = Talk(name, top.text("title") or name, top.minutes(), top.text("about"), tuple(views), top.switch("lesson"))
    return talk, sorted(problems, key=lambda one: one.line)


def problem(line: int, name: str, **values: object) -> Problem:
    """What is wrong at a line, in the words of `app.talk_problems`."""
    return Problem(line, fill(texts("app.talk_problems")[name], values))


def _parse(block: Block, problems: list[Problem]) -> dict[str, Any] | None:
    try:
        return parse(block.text)
    except RecursionError:
        problems.append(problem(block.line, "too_deep"))
    except ValueError as error:
        problems.append(problem(block.line + _inside(block.text, str(error)), "not_toml", error=_PLACE.sub("", str(error))))
    return None


def _inside(text: str, error: str) -> int:
    """In which line of the text tomllib found an error; where it ran to the end, the line of the quotes that it looked to close."""
    place = _PLACE.search(error)
    if place is None or place[1]:
        return int(place[1]) - 1 if place else 0
    opened = max(text.rfind(quotes) for quotes in ('"""', "'''"))
    return text.rstrip().count("\n") if opened < 0 else text.count("\n", 0, opened)


def _views(
    block: Block,
    number: int,
    defaults: Mapping[str, str],
    pages: Collection[str] | None,
    names: Collection[str] | None,
    problems: list[Problem],
) -> Iterator[TalkView]:
    """The view of a block: one, unless it cannot be read or shown, or something else stands below it."""
    found = Checked(block, _parse(block, problems) or {"view": []}, problems)
    for key in found.unknown(("view",)):
        found.complain(key, "after_a_view")
    for values in found.values["view"]:
        given = Checked(block, values, problems)
        page = given.page(pages, number)
        if page is None:
            continue
        parameters = {name: value for name, value in {**defaults, **given.parameters(names)}.items() if value}
        title = given.text("title")
        if not title and "title" not in values:
            given.complain("", "no_title", number=number)
        shown = given.text("note"), given.hide(page), given.minutes(), parameters, given.claims()
        card = given.text("todo"), given.mark(), given.caption(), given.exercise()
        yield TalkView(page, title or page, *shown, *card)
