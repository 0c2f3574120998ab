"""The state of a session and its address. The only place with st.session_state and st.query_params.

Everything that is looked at stands in the address, so that a link, a reload and the browser's Back restore the view. It is the
browser's: Python reads it where a page is opened (`arrive`) or the browser says that Back was pressed (`visit`), and at the end of
each run tells the browser what it has shown (`addressed.py`). Numbers count from 1 on the page and in the address, from 0 in code.
"""

import json
import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any
from urllib.parse import parse_qsl

import streamlit as st

from viz_core.app import turns
from viz_core.app.view_options import View
from viz_core.explain import Notice
from viz_core.texts import enumerated

LONGEST = 20_000
"""Characters of a parameter that are read."""

SHOWN = "_shown"
"""What the browser shows when its reader follows a link to another page, as a parameter (`visits.ts`); no address has it."""


def current() -> View | None:
    """The view that the frame left for this page; None while there is nothing to see."""
    view: View | None = st.session_state.get("_view")
    return view


def arrive(page: str) -> None:
    """At the start of a run: what the address asks for, where this page was opened, or `visit` was called.

    Asked until a run that has shown it has ended. In every other run the controls are right, and the address follows them. A page
    to which a link of the app or `_go` leads keeps what is chosen.
    """
    st.session_state["_pending"] = set()
    if st.session_state.get("_page") != page:
        asked = st.query_params.to_dict()
        told = _read(asked.pop(SHOWN, ""))
        if told is not None and "_session" in st.session_state:
            st.session_state["_told"] = told
        elif st.session_state.get("_visit") is None and _next_page() != page:
            visit(asked)
            st.session_state.pop("_language", None)  # an address that names none is in that of the browser
        if _next_page() != page:
            st.session_state["_go"] = None
        st.session_state["_page"] = page
    st.session_state.setdefault("_session", secrets.token_hex(4))
    st.session_state.update(_link=pending("_visit"), _address={}, _touched_before=st.session_state.pop("_touched", {}))


def _read(text: str) -> dict[str, Any] | None:
    """What the browser showed when a link of the app was followed; None where a link from elsewhere was."""
    try:
        view = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return view if isinstance(view, dict) else None


def touched() -> dict[str, Any]:
    """What callbacks have set before this run, with its value until then: it is newer than what the browser shows."""
    found: dict[str, Any] = st.session_state.get("_touched_before", {})
    return found


@contextmanager
def as_shown() -> Iterator[None]:
    """Around what a callback sets because the browser shows it: what the browser says later may be newer."""
    before = st.session_state.get("_touched", {})
    yield
    st.session_state["_touched"] = before


def visit(parameters: Mapping[str, str]) -> None:
    """Shows what a link with these parameters would show, from the next run on; asked for until a run that shows it has ended."""
    st.session_state["_visit"] = {name: text[:LONGEST] for name, text in parameters.items()}


def amend_visit(**parameters: str) -> None:
    """Changes what a link asks for that no run has shown yet: its reader has chosen otherwise."""
    if (waiting := st.session_state.get("_visit")) is not None:
        visit({**waiting, **parameters})


def redirect(parameters: Mapping[str, str]) -> None:
    """Shows what a link with these parameters would show, in this very run; to be called before controls are drawn."""
    st.session_state["_link"] = dict(parameters)


def arrived() -> bool:
    """Whether this run shows what a link asks for: what it does not name is then at its default."""
    return st.session_state.get("_link") is not None


def asked(name: str) -> str | None:
    """A parameter of the link that this run shows; None where there is none."""
    return link().get(name)


def link() -> dict[str, str]:
    """All parameters of the link that this run shows."""
    return dict(st.session_state.get("_link") or {})


def keep(name: str, value: str, default: str = "") -> None:
    """Puts a parameter into the address, unless it is the default, which an address without it means."""
    if name in st.session_state.get("_wrong", []):
        st.session_state["_wrong"].remove(name)
    st.session_state["_address"].pop(name, None)
    if value != default:
        st.session_state["_address"][name] = value


def end_run() -> None:
    """The run was not interrupted: what it has read with `pending` is done."""
    for name in st.session_state["_pending"]:
        st.session_state.pop(name, None)
    st.session_state["_pending"] = set()


def address() -> dict[str, str]:
    """The parameters of the address of what this run shows, as far as they are known."""
    return dict(st.session_state["_address"])


@contextmanager
def apart() -> Iterator[None]:
    """Around pages that are drawn where there is no session: Streamlit keeps their state for the whole process, until here."""
    before = dict(st.session_state)
    try:
        yield
    finally:
        for name in [*st.session_state]:
            del st.session_state[name]
        st.session_state.update(before)


def is_recorded() -> bool:
    """Whether this run is there in order to record what it draws, without a browser."""
    return "_recorded" in st.session_state


def record(page: object) -> bool:
    """Leaves the page as this run has drawn it to whoever records it, if somebody does."""
    if is_recorded():
        st.session_state["_recorded"] = page
    return is_recorded()


def heard(key: str, event: str) -> Any:
    """The last message of a browser-side part; None while one page follows another: the part then sends it again."""
    part = st.session_state.get(key)
    return None if part is None else part.get(event)


def session() -> str:
    """A name for this session, by which the browser notices a new one."""
    name: str = st.session_state["_session"]
    return name


def tour() -> list[str]:
    """The names of all pages, in the order of the tour."""
    return list(st.session_state.get("_tour", []))


def _next_page() -> str:
    """The page that a callback has named in `_go`; empty where it has named none."""
    return str(st.session_state.get("_go") or "").partition("?")[0]


def leads_to(here: str) -> str | None:
    """The page that `_go` names, if it is another one than this; the view stays.

    `residual?stack=decoder` names a page and sets a control of it, in any case.
    """
    own = str(pending("_go") or "").partition("?")[2]
    if (page := _next_page()) not in tour():
        return None
    change(**{f"{page}_{control}": value for control, value in parse_qsl(own)})
    if page == here:
        return None
    st.session_state["_pending"].discard("_go")  # until that page is there
    return page


def get(name: str, default: Any = None) -> Any:
    """The value of a control, or of a page's own state."""
    return st.session_state.get(name, default)


def let_interrupt() -> None:
    """Ends this run here where its reader has asked for another one; for whoever waits without drawing anything."""
    st.session_state.get("_session")  # each look at the state does it, as each message to the browser does


def take(name: str) -> Any:
    """A value left for one time, which is gone at once, even if the run that takes it is interrupted; else see `pending`."""
    return st.session_state.pop(name, None)


def pending(name: str) -> Any:
    """A value left for one run. A message of the browser interrupts a run; the value stays until one that has read it has ended."""
    st.session_state["_pending"].add(name)
    return st.session_state.get(name)


def change(**values: Any) -> None:
    """Sets controls; to be called before they are drawn, so from a callback, or before the page."""
    if not turns.under_way():
        before = {name: st.session_state.get(name) for name in values}
        st.session_state["_touched"] = before | st.session_state.get("_touched", {})
    st.session_state.update(values)


def notices() -> list[Notice]:
    """What was said since the last run ended."""
    waiting: list[Notice] = pending("_notices") or []
    st.session_state["_said"] = list(waiting)
    return list(waiting)


def say_again() -> None:
    """In a callback for what the browser has sent unasked: nobody has read yet what the last run said."""
    for notice in st.session_state.get("_said", []):
        say(notice)


def say(notice: Notice) -> None:
    """Adds a notice for this run, once."""
    waiting = st.session_state.setdefault("_notices", [])
    if notice not in waiting:  # a run that was interrupted may have said the same
        waiting.append(notice)


def say_instead(name: str, asked: str, shown: object, *, nearest: bool = False) -> None:
    """Says that the link asks for a value that a control cannot have, and which is shown in its place."""
    say(Notice("nearest" if nearest else "unknown", {"name": name, "asked": asked[:40], "shown": shown}))


def say_ignored(name: str, options: Sequence[str]) -> None:
    """Says that the link asks for what a parameter cannot be; and what it can be, where these are options."""
    known = enumerated(option for option in options if option)
    say(Notice("look_option" if known else "look", {"name": name, "asked": (asked(name) or "")[:40], "options": known}))


def linked_option(name: str, options: Sequence[str]) -> str:
    """What the link that this run shows asks for; empty where it asks for nothing, or, said, for what is no option."""
    value = asked(name) or ""
    if not value or value in options:
        return value
    say_ignored(name, options)
    return ""


def linked(name: str, options: Sequence[str]) -> str:
    """What the link that this run shows asks for; the first option where it asks for none, or, said, for another."""
    value = asked(name)
    if value is not None and value in options:
        return value
    if value is not None:
        say_instead(name, value, options[0])
    return options[0]


def dark() -> bool:
    """Whether the reader's theme is dark."""
    return st.context.theme.type == "dark"
