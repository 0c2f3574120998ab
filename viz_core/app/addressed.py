"""Reports to the browser, which writes the address, and redirections to another page."""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, NoReturn
from urllib.parse import quote

import streamlit as st

from viz_core.app import page_options, run_lock, session
from viz_core.app.components import connect
from viz_core.app.streamlit_files import below_base
from viz_core.browser.pack import EXACT
from viz_core.params import SHARED, WALKED
from viz_core.trace import BLOCKS

if TYPE_CHECKING:
    from viz_core.app.page import Page

FOLLOWS = 1.0
"""Seconds that a run waits for the browser to request the page it leads to."""

_container: ContextVar[Any] = ContextVar("container")


def reserve() -> None:
    """Reserves the part's place outside the page, so that it survives page changes."""
    _container.set(st.container())
    session.pop("_described")  # by a run that was interrupted


def path_of(page: str) -> str:
    """The path of a page in the address, as the browser writes it."""
    return quote(below_base("" if page == "overview" else page))


def describe(this: Page) -> None:
    """At the end of a page: prepares the report for `send`.

    kept: the parameters that the browser's store does not hold. For the others, first: the values that the address leaves out;
    follows: the ones that Python itself draws from. picked_by: "layer" and "head", if they affect anything on the page.
    """
    first = {name: param.write(param.usual) for name, param in (WALKED | SHARED).items()}
    first |= {name: value for name, value in page_options.first(this.name).items() if name not in this.own}
    kept = {name: value for name, value in session.address().items() if name not in first}
    chosen = {"picked_by": this.picked_by, "picked_below": this.picked_below}
    follows = sorted({"lecture", *this.follows, *_inexact(this)})
    session.change(_described={"kept": kept, "first": first, "follows": follows, **chosen})


def send(page: str, *, failed: bool = False) -> None:
    """At the end of a run, even of an empty page: reports to the browser the parts of the address.

    Args:
        failed: whether the run has failed, which the page shows; without an answer the browser would ask again and again.
    """
    kept = session.link() if failed else session.address()
    described = session.pop("_described") or {"kept": kept, "first": {}, "follows": [], "is_empty": True}
    of_run = session.shown()
    beside = {"carried": of_run.carried, "of": of_run.of}
    _tell({"page": page, "path": path_of(page), "pages": {path_of(name): name for name in session.tour()}, **beside, **described})


def go_to(page: str, parameters: Mapping[str, str]) -> NoReturn:
    """Ends this run: the browser opens another page with these parameters, as if by a link."""
    session.change(_leads=True)
    _tell({"go": path_of(page), "parameters": parameters, "path": path_of(session.get("_page"))})
    with run_lock.waiting():
        until = time.monotonic() + FOLLOWS
        while time.monotonic() < until:  # so that the page's contents stay meanwhile
            session.let_interrupt()
            time.sleep(0.005)
    st.stop()


def _tell(data: Mapping[str, Any]) -> None:
    with _container.get():
        connect("address", session.visited() | {"run": session.get("_run", 0)} | dict(data), ("visit",), _on_message)


def _on_message(_: str, message: Any) -> None:
    """The browser visits another address of a page: {page, parameters, and values beside the address}, none of it trusted."""
    if isinstance(message, Mapping) and message.get("page") == session.get("_page"):
        session.visit(message.get("parameters") or {}, message)


def _inexact(this: Page) -> tuple[str, ...]:
    """For a long sentence the browser has rounded numbers, so the locked cell's come from Python."""
    config, explanation = this.view.config, this.view.explanation
    longest = max(len(explanation.source), len(explanation.target))
    rounded = this.stage and 4 * max(config.layers(stack) for stack in BLOCKS) * config.n_heads * longest**2 > EXACT
    return ("layer", "head", "cell") if rounded else ()
