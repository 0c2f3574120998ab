"""What the browser-side parts of each page show: kept in the session, read from a link, written into the address."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from viz_core.app import session
from viz_core.app.view_options import DEFAULT, ViewOptions, from_link
from viz_core.params import OPTIONS, OneOf

FIRST: Mapping[str, ViewOptions] = {"heads": ViewOptions(form="neurons")}
"""What a page shows first, where that is not what all others do."""


def current(page: str) -> ViewOptions:
    """What a page shows of its browser-side parts."""
    found: ViewOptions = session.get(_key(page), FIRST.get(page, DEFAULT))
    return found


def change(page: str, changed: ViewOptions) -> None:
    """Keeps what a page shows of its browser-side parts."""
    session.change(**{_key(page): changed})


def _key(page: str) -> str:
    return f"_view_options_{page}"


def take(page: str, shown: ViewOptions, newer: Mapping[str, Any]) -> None:
    """What a browser shows of a page, except for what a callback has changed since.

    Args:
        newer: what callbacks have set, with what it was before.
    """
    now, before = current(page), newer.get(_key(page))
    if before is not None:
        shown = replace(shown, **{name: getattr(now, name) for name in OPTIONS if getattr(now, name) != getattr(before, name)})
    if {"text", "target", "model"}.intersection(newer):  # a cell means nothing for another sentence
        shown = replace(shown, cell=now.cell)
    change(page, shown)


def let_go_cell(page: str, of: object) -> None:
    """At the start of a run: a cell that was picked in another figure means nothing in this one, which `of` names."""
    if not session.arrived() and session.get(f"_cell_of_{page}", of) != of:
        change(page, replace(current(page), cell=None))
    session.change(**{f"_cell_of_{page}": of})


def forget_cells() -> None:
    """Unlocks the cells of all pages: they mean nothing for another sentence."""
    for page in session.tour():
        change(page, replace(current(page), cell=None))


def sync_from_url(page: str) -> None:
    """At the start of a page: what the link asks of its browser-side parts; `say_wrong` names what a part cannot be."""
    if not session.arrived():
        return
    found, wrong = linked(page, session.link())
    change(page, found)
    session.change(_wrong=wrong)
    for name, param in OPTIONS.items():
        if (text := session.asked(name)) is not None and name not in wrong and not param.has(text):
            session.say_instead(name, text, param.write(getattr(found, name)), nearest=True)


def linked(page: str, parameters: Mapping[str, str]) -> tuple[ViewOptions, list[str]]:
    """What a link asks of a page's parts, the rest as the page has it first; and the names of what they cannot be."""
    return from_link(parameters, FIRST.get(page, DEFAULT))


def first(page: str) -> dict[str, str]:
    """What a page's parts show first, each as the parameter of a link."""
    return FIRST.get(page, DEFAULT).written()


def link(page: str) -> dict[str, str]:
    """As parameters of a link: what the page's parts show, where that is not what they show first."""
    usual = first(page)
    return {name: text for name, text in current(page).written().items() if text != usual[name]}


def say_wrong() -> None:
    """Once the page's own controls, which may have the same names, are drawn: what none of the parts can be."""
    for name in session.take("_wrong") or ():
        param = OPTIONS[name]
        session.say_ignored(name, param.options if isinstance(param, OneOf) else ())
