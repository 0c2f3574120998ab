"""Options of a page's browser-side parts, from the address."""

from collections.abc import Mapping
from dataclasses import replace

from viz_core.app import session
from viz_core.app.view_options import DEFAULT, ViewOptions, from_link
from viz_core.params import OPTIONS, OneOf

FIRST: Mapping[str, ViewOptions] = {"heads": ViewOptions(form="neurons")}
"""Initial options of pages that differ from all others."""


def current() -> ViewOptions:
    """The options of this page's browser-side parts."""
    options: ViewOptions = session.get("_view_options", DEFAULT)
    return options


def change(changed: ViewOptions) -> None:
    """Replaces options of the address that are invalid here."""
    session.change(_view_options=changed)


def sync_from_url(page: str) -> None:
    """At the start of a run: reads the options from the address; `say_wrong` reports invalid ones."""
    options, wrong = linked(page, session.link())
    change(options)
    session.shown().wrong[:] = wrong
    for name, param in OPTIONS.items():
        if (text := session.parameter(name)) is not None and name not in wrong and not param.has(text):
            session.notify_replaced(name, text, param.write(getattr(options, name)), nearest=True)


def clear_stale_cell(of: object) -> None:
    """Before a page is drawn: drops a cell that was picked in another figure. of: identifies this figure."""
    if session.belongs("cell", of) is False:
        forget_cell()


def forget_cell() -> None:
    """Drops the address's cell."""
    change(replace(current(), cell=None))


def linked(page: str, parameters: Mapping[str, str]) -> tuple[ViewOptions, list[str]]:
    """A link's options for a page's parts, on top of the page's initial ones; and the names of invalid ones."""
    return from_link(parameters, FIRST.get(page, DEFAULT))


def first(page: str) -> dict[str, str]:
    """The initial options of a page's parts, as parameters of a link."""
    return FIRST.get(page, DEFAULT).written()


def link(page: str) -> dict[str, str]:
    """The options of the page's parts that differ from the initial ones, as parameters of a link."""
    usual = first(page)
    return {name: text for name, text in current().written().items() if text != usual[name]}


def say_wrong() -> None:
    """Reports invalid options, once the page's own controls, which may have the same names, are drawn."""
    for name in session.shown().wrong:
        param = OPTIONS[name]
        session.notify_ignored(name, param.options if isinstance(param, OneOf) else ())
