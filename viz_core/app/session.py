"""What a run shows, and what is of its reader alone. The only place with st.session_state and st.query_params.

The address is the state, and the browser's (`visits.ts`): a run is a function of it. Python reads it where a page is opened and
where the browser visits another one, and says at the end of each run what it has shown (`addressed.py`): a value that cannot be has
become the nearest. Numbers count from 1 on the page and in the address, from 0 in code.
"""

import json
import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from hashlib import blake2s
from typing import Any, NoReturn

import streamlit as st

from viz_core.app.asked import Asked, Shown, read
from viz_core.app.view_options import View
from viz_core.explain import Notice
from viz_core.texts import enumerated

SAID = "_said"
"""Where the browser opens a page: what it says beside the address, as a parameter that no address has (`visits.ts`)."""


def current() -> View | None:
    """The view that the frame left for this page; None while there is nothing to see."""
    view: View | None = st.session_state.get("_view")
    return view


def arrive(page: str) -> None:
    """At the start of a run: another page is opened at what its address says; else `visit` has said what is shown."""
    st.session_state["_pending"] = set()
    st.session_state.setdefault("_session", secrets.token_hex(4))
    parameters = st.query_params.to_dict()
    said = _read(parameters.pop(SAID, ""))
    if st.session_state.get("_page") != page or read({}, said, _asked()).number > _asked().number:
        visit(parameters, said, page)
    st.session_state["_shown"] = Shown()


def _read(text: str) -> Any:
    """What the browser says beside the address; None where a link from elsewhere was followed."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def visit(parameters: Mapping[str, Any], said: Any = None, page: str = "") -> None:
    """Shows from the next run on what a link with these parameters would show. Of what a browser says nothing is trusted.

    Args:
        said: {number, dormant, carried, of} beside the address; None where it is a link.
        page: the one that is opened with it.
    """
    st.session_state["_asked"] = read(parameters, said, _asked())
    if not (lecture() or pop("_leads")):  # on stage nobody has read them, nor on a page that leads to this one
        st.session_state["_said"] = []
    if page:
        st.session_state["_page"] = page


def _asked() -> Asked:
    asked: Asked = st.session_state.get("_asked") or Asked()
    return asked


def redirect(parameters: Mapping[str, str]) -> None:
    """Shows in this very run what a link with these parameters would show; to be called before controls are drawn."""
    st.session_state["_asked"] = replace(_asked(), parameters=dict(parameters))


def is_link() -> bool:
    """Whether a link is followed, of which nothing but the address is known."""
    return _asked().is_link


def visited() -> dict[str, Any]:
    """What the browser knows the answer to its visit by."""
    asked = _asked()
    return {"session": session(), "visited": asked.number, "brought": asked.brought}


def asked(name: str) -> str | None:
    """A parameter of the address that this run shows; None where it is not named."""
    now = _asked()
    return now.parameters.get(name, now.dormant.get(name))


def link() -> dict[str, str]:
    """All parameters of the address that this run shows, or that the next one is to show."""
    return dict(_asked().parameters)


def carried(name: str) -> str:
    """What the browser carries from page to page under this name; empty where there is nothing."""
    return _asked().carried.get(name, "")


def carry(name: str, value: str) -> None:
    """What the browser is to carry from page to page."""
    if value:
        shown().carried[name] = value


def belongs(name: str, of: object) -> bool | None:
    """Whether a value in the address belongs to this, such as a list of tokens; None where it is new."""
    now, before = blake2s(repr(of).encode("utf-8", "replace"), digest_size=4).hexdigest(), _asked().of.get(name)
    shown().of[name] = now
    return None if before is None else before == now


def is_new(name: str) -> bool:
    """Whether the address names a value that was not shown before: a link does, or it was just picked."""
    return name in _asked().parameters and name not in _asked().of


def lead(**parameters: str) -> NoReturn:
    """Begins this run anew, with other parameters in the address."""
    asked = _asked()
    st.session_state["_asked"] = replace(
        asked, parameters={**asked.parameters, **parameters}, of=asked.of | shown().of, brought=asked.brought + 1, is_link=False
    )
    st.rerun()


def keep(name: str, value: str, default: str = "") -> None:
    """Puts a parameter into the address, unless it is the default, which an address without it means."""
    now = shown()
    if name in now.wrong:
        now.wrong.remove(name)
    now.parameters.pop(name, None)
    if value != default:
        now.parameters[name] = value


def end_run(*, failed: bool = False) -> None:
    """The run was not interrupted: what it has read with `pending` is done, and what it has shown is what is asked for."""
    for name in st.session_state["_pending"]:
        st.session_state.pop(name, None)
    st.session_state["_pending"] = set()
    if not failed:
        asked, now = _asked(), shown()
        of = asked.of | now.of
        st.session_state["_asked"] = replace(asked, parameters=address(), carried=dict(now.carried), of=of, is_link=False)


def shown() -> Shown:
    """What this run has shown so far."""
    found: Shown = st.session_state["_shown"]
    return found


def address() -> dict[str, str]:
    """The parameters of the address of what this run shows, as far as they are known."""
    return dict(shown().parameters)


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


def get(name: str, default: Any = None) -> Any:
    """What is of this reader alone, such as a training; or the value of one of Streamlit's controls."""
    return st.session_state.get(name, default)


def let_interrupt() -> None:
    """Ends this run here where its reader has asked for another one; for whoever waits without drawing anything."""
    st.session_state.get("_session")  # each look at the state does it, as each message to the browser does


def pop(name: str) -> Any:
    """A value left for one time, which is gone at once, even if the run that takes it is interrupted; else see `pending`."""
    return st.session_state.pop(name, None)


def pending(name: str) -> Any:
    """A value left for one run. A message of the browser interrupts a run; the value stays until one that has read it has ended."""
    st.session_state["_pending"].add(name)
    return st.session_state.get(name)


def change(**values: Any) -> None:
    """Keeps what is of this reader alone; of Streamlit's controls, before they are drawn."""
    st.session_state.update(values)


def notices() -> list[Notice]:
    """What is said of this address."""
    return list(st.session_state["_said"])


def notify(notice: Notice) -> None:
    """Adds a notice, which stands there until another address is visited."""
    waiting = st.session_state.setdefault("_said", [])
    if notice not in waiting:  # an earlier run may have said the same
        waiting.append(notice)


def notify_replaced(name: str, asked: str, shown: object, *, nearest: bool = False) -> None:
    """Says that the link asks for a value that a control cannot have, and which is shown in its place."""
    notify(Notice("nearest" if nearest else "unknown", {"name": name, "asked": asked[:40], "shown": shown}))


def notify_ignored(name: str, options: Sequence[str]) -> None:
    """Says that the link asks for what a parameter cannot be; and what it can be, where these are options."""
    known = enumerated(option for option in options if option)
    notify(Notice("look_option" if known else "look", {"name": name, "asked": (asked(name) or "")[:40], "options": known}))


def linked_option(name: str, options: Sequence[str]) -> str:
    """What the address asks for; empty where it asks for nothing, or, said, for what is no option."""
    value = asked(name) or ""
    if not value or value in options:
        return value
    notify_ignored(name, options)
    return ""


def linked(name: str, options: Sequence[str]) -> str:
    """What the address asks for; the first option where it asks for none, or, said, for another."""
    value = asked(name)
    if value is not None and value in options:
        return value
    if value is not None:
        notify_replaced(name, value, options[0])
    return options[0]


def lecture() -> bool:
    """Whether this run shows the page in lecture mode."""
    return bool(st.session_state.get("_lecture"))


def dark() -> bool:
    """Whether the reader's theme is dark."""
    return st.context.theme.type == "dark"
