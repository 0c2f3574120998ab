"""Reads a talk's file into a Talk and a list of problems; the good views still play."""

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
"""Most bytes of a talk's file."""
OWN = ("title", "minutes", "about", "lesson", "defaults")
_PLACE = re.compile(r" ?\(at (?:line (\d+), column \d+|end of document)\)$")


def available(folder: Path = FOLDER) -> list[str]:
    """The names of the talks in a folder, sorted; none if there is no such folder."""
    return sorted(path.stem for path in folder.glob("*.toml") if find(path.stem, folder))


def find(name: str, folder: Path = FOLDER) -> Path | None:
    """The file of a talk named in an address; None if there is none.

    A name has only letters, digits, - and _, so none leads out of the folder; nor may a symbolic link.
    """
    path = folder / f"{name}.toml"
    if not _FILE_NAME.fullmatch(name) or not path.is_file() or path.resolve().parent != folder.resolve():
        return None
    return path


def file_name(title: str) -> str:
    """A file name for a talk, from its title, that `find` accepts."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode()
    return (re.sub(r"[^A-Za-z0-9]+", "-", plain).strip("-").lower()[:60].strip("-") or "talk") + ".toml"


def load(path: Path, pages: Collection[str] | None = None, names: Collection[str] | None = None) -> tuple[Talk, list[Problem]]:
    """Reads a talk.

    Args:
        path: of the TOML file.
        pages: allowed pages of a view; None allows all.
        names: allowed parameters of a view; None allows all.

    Returns:
        The talk with every view that can be shown, and the problems in the order of lines.
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
    """`load` from a text. name: of the talk, and its title if it has none."""
    head, *rest = blocks(text.replace("\r\n", "\n"))
    problems: list[Problem] = []
    top = Checked(head, _parse(head, problems) or {}, problems)
    for key in top.unknown(OWN):
        top.complain(key, "unknown_at_the_top", view="[[view]]")
    defaults = Checked(head, top.table("defaults"), problems).parameters(names)
    views: list[TalkView] = []
    for number, block in enumerate(rest[:MOST], 1):
        views += _views(block, number, defaults, pages, names, problems)
    if rest[MOST:]:
        problems.append(problem(rest[MOST].line, "too_many_views", most=MOST))
    if not views:
        problems.append(problem(0, "no_view") if rest else problem(0, "no_view_at_all", view="[[view]]"))
    talk = Talk(name, top.text("title") or name, top.minutes(), top.text("about"), tuple(views), top.switch("lesson"))
    return talk, sorted(problems, key=lambda one: one.line)


def problem(line: int, name: str, **values: object) -> Problem:
    """A problem at a line, in the words of `app.talk_problems`."""
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
    """Index of the line where tomllib found an error; if it ran to the end, the line of the unclosed quotes."""
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
    """The view of a block; none if it cannot be read or shown."""
    top = Checked(block, _parse(block, problems) or {"view": []}, problems)
    for key in top.unknown(("view",)):
        top.complain(key, "after_a_view")
    for values in top.values["view"]:
        entry = Checked(block, values, problems)
        page = entry.page(pages, number)
        if page is None:
            continue
        parameters = {name: value for name, value in {**defaults, **entry.parameters(names)}.items() if value}
        title = entry.text("title")
        if not title and "title" not in values:
            entry.complain("", "no_title", number=number)
        main = entry.text("note"), entry.hide(page), entry.minutes(), parameters, entry.claims()
        card = entry.text("todo"), entry.mark(), entry.caption(), entry.exercise()
        yield TalkView(page, title or page, *main, *card)
