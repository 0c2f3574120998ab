"""The address of the page, which the browser writes: what it is made of, and the way to another page."""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, NoReturn
from urllib.parse import quote

import streamlit as st

from viz_core.app import page_options, run_lock, session
from viz_core.app.base_path import below_base
from viz_core.app.components import connect
from viz_core.browser.pack import EXACT
from viz_core.params import SHARED, WALKED
from viz_core.trace import BLOCKS

if TYPE_CHECKING:
    from viz_core.app.page import Page

FOLLOWS = 1.0
"""Seconds for which a run waits until the browser has asked for the page to which it leads."""

_container: ContextVar[Any] = ContextVar("container")


def reserve() -> None:
    """Reserves the place of the part outside of the page, so that it stays while pages change."""
    _container.set(st.container())


def path_of(page: str) -> str:
    """Where a page stands in the address, as the browser writes it."""
    return quote(below_base("" if page == "overview" else page))


def describe(this: Page) -> None:
    """At the end of a page: leaves for `send` what the browser writes the address with.

    kept: the parameters that the browser's store does not have; first: of the others, the values that are left out; follows: of the
    others, those from which this run draws in Python; picked_by: of layer and head, those that choose something.
    """
    first = {name: param.write(param.usual) for name, param in (WALKED | SHARED).items()}
    first |= {name: value for name, value in page_options.first(this.name).items() if name not in this.own}
    kept = {name: value for name, value in session.address().items() if name not in first}
    chosen = {"picked_by": this.picked_by, "picked_below": this.picked_below}
    follows = sorted({"lecture", *this.follows, *_inexact(this)})
    session.change(_described={"kept": kept, "first": first, "follows": follows, **chosen})


def send(page: str) -> None:
    """At the end of a run, also where there is nothing to see: tells the browser what the address is made of."""
    described = session.pop("_described") or {"kept": session.address(), "first": {}, "follows": [], "is_empty": True}
    said = session.shown()
    beside = {"carried": said.carried, "of": said.of}
    _tell({"page": page, "path": path_of(page), "pages": {path_of(name): name for name in session.tour()}, **beside, **described})


def go_to(page: str, parameters: Mapping[str, str]) -> NoReturn:
    """Ends this run: the browser opens another page with these parameters, as a link to it does."""
    session.change(_leads=True)
    _tell({"go": path_of(page), "parameters": parameters, "path": path_of(session.get("_page"))})
    with run_lock.waiting():
        until = time.monotonic() + FOLLOWS
        while time.monotonic() < until:  # what is on the page stays meanwhile
            session.let_interrupt()
            time.sleep(0.005)
    st.stop()


def _tell(data: Mapping[str, Any]) -> None:
    with _container.get():
        connect("address", session.visited() | {"run": session.get("_run", 0)} | dict(data), ("visit",), _hear)


def _hear(_: str, message: Any) -> None:
    """Another address is visited within a page: {page, parameters, and what is said beside it}. Nothing of it is trusted."""
    if isinstance(message, Mapping) and message.get("page") == session.get("_page"):
        session.visit(message.get("parameters") or {}, message)


def _inexact(this: Page) -> tuple[str, ...]:
    """Of a long sentence the browser has rounded numbers; those of the locked cell come from Python."""
    config, explanation = this.view.config, this.view.explanation
    longest = max(len(explanation.source), len(explanation.target))
    rounded = this.stage and 4 * max(config.layers(stack) for stack in BLOCKS) * config.n_heads * longest**2 > EXACT
    return ("layer", "head", "cell") if rounded else ()
