"""What the browser-side parts of a page show, as the address asks for it."""

from collections.abc import Mapping
from dataclasses import replace

from viz_core.app import session
from viz_core.app.view_options import DEFAULT, ViewOptions, from_link
from viz_core.params import OPTIONS, OneOf

FIRST: Mapping[str, ViewOptions] = {"heads": ViewOptions(form="neurons")}
"""What a page shows first, where that is not what all others do."""


def current() -> ViewOptions:
    """What this page shows of its browser-side parts."""
    found: ViewOptions = session.get("_view_options", DEFAULT)
    return found


def change(changed: ViewOptions) -> None:
    """Shows something else than the address asks for, which it cannot have."""
    session.change(_view_options=changed)


def sync_from_url(page: str) -> None:
    """At the start of a run: what the address asks of the browser-side parts; `say_wrong` names what a part cannot be."""
    found, wrong = linked(page, session.link())
    change(found)
    session.shown().wrong[:] = wrong
    for name, param in OPTIONS.items():
        if (text := session.asked(name)) is not None and name not in wrong and not param.has(text):
            session.notify_replaced(name, text, param.write(getattr(found, name)), nearest=True)


def clear_stale_cell(of: object) -> None:
    """Before a page is drawn: a cell that was picked in another figure means nothing in this one, which `of` names."""
    if session.belongs("cell", of) is False:
        forget_cell()


def forget_cell() -> None:
    """A cell that the address names means nothing here."""
    change(replace(current(), cell=None))


def linked(page: str, parameters: Mapping[str, str]) -> tuple[ViewOptions, list[str]]:
    """What a link asks of a page's parts, the rest as the page has it first; and the names of what they cannot be."""
    return from_link(parameters, FIRST.get(page, DEFAULT))


def first(page: str) -> dict[str, str]:
    """What a page's parts show first, each as the parameter of a link."""
    return FIRST.get(page, DEFAULT).written()


def link(page: str) -> dict[str, str]:
    """As parameters of a link: what the page's parts show, where that is not what they show first."""
    usual = first(page)
    return {name: text for name, text in current().written().items() if text != usual[name]}


def say_wrong() -> None:
    """Once the page's own controls, which may have the same names, are drawn: what none of the parts can be."""
    for name in session.shown().wrong:
        param = OPTIONS[name]
        session.notify_ignored(name, param.options if isinstance(param, OneOf) else ())
