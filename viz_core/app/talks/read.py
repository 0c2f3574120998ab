"""A talk's file → a Talk and what is wrong in it. Never raises for what stands in the file: what is right still plays."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from viz_core.app.talks.blocks import MOST, Block, blocks, parse
from viz_core.app.talks.check import Checked, Complaint
from viz_core.app.talks.talk import Problem, Talk, TalkView
from viz_core.texts import fill, texts

LARGEST = 1_000_000
"""Bytes of a talk's file that are read at most."""
OWN = ("title", "minutes", "about", "defaults")
_PLACE = re.compile(r" ?\(at (?:line (\d+), column \d+|end of document)\)$")


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
        with path.open("rb") as file:
            content = file.read(LARGEST + 1)
    except (OSError, ValueError) as error:
        return Talk(path.stem, path.stem), [problem(0, "unreadable", error=getattr(error, "strerror", None) or error)]
    if len(content) > LARGEST:
        return Talk(path.stem, path.stem), [problem(0, "too_large", most=f"{LARGEST:,}")]
    try:
        text = content.decode("utf-8-sig")
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
    views: list[TalkView] = []
    for key in top.unknown(OWN):
        top.complain(key, "unknown_at_the_top", view="[[view]]")
    defaults = Checked(head, top.table("defaults"), problems).parameters(names)
    for block in rest[:MOST]:
        for given in _views(block, problems):
            view = _view(Checked(block, given, problems), len(views) + 1, defaults, pages, names)
            views += [view] if view else []
    if rest[MOST:]:
        problems.append(problem(rest[MOST].line, "too_many_views", most=MOST))
    if not views:
        problems.append(problem(0, "no_view"))
    talk = Talk(name, top.text("title") or name, top.minutes(), top.text("about"), tuple(views))
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


def _views(block: Block, problems: list[Problem]) -> list[dict[str, Any]]:
    """The view of a block: one, unless it cannot be read, or something else stands below it."""
    found = _parse(block, problems)
    if found is None:
        return []
    here = Checked(block, found, problems)
    for key in here.unknown(("view",)):
        here.complain(key, "after_a_view")
    return [view for view in found["view"] if isinstance(view, dict)]


def _view(
    given: Checked, number: int, defaults: Mapping[str, str], pages: Collection[str] | None, names: Collection[str] | None
) -> TalkView | None:
    try:
        page = given.page(pages)
    except Complaint:
        return None
    parameters = {name: value for name, value in {**defaults, **given.parameters(names)}.items() if value}
    title = given.text("title")
    if not title and "title" not in given.values:
        given.complain("", "no_title", number=number)
    return TalkView(page, title or page, given.text("note"), given.hide(), given.minutes(), parameters, given.claims())
