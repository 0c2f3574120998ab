"""The run's request and the reader's own state. The only place with st.session_state and st.query_params.

The address is the state and belongs to the browser (`visits.ts`); a run is a function of it. Python reads it when a page is opened
or the browser visits another address, and reports at the end of each run what it has shown (`addressed.py`), with invalid values
replaced by the nearest valid ones. Numbers count from 1 on the page and in the address, from 0 in code.
"""

import json
import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from hashlib import blake2s
from typing import Any, NoReturn

import streamlit as st

from viz_core.app.request import Request, Shown, read
from viz_core.app.view_options import View
from viz_core.explain import Notice
from viz_core.texts import enumerated

SAID = "_said"
"""Parameter by which the browser, opening a page, sends its values beside the address (`visits.ts`); never in an address."""


def current() -> View | None:
    """The view that the frame has prepared for this page; None while there is nothing to explain."""
    view: View | None = st.session_state.get("_view")
    return view


def arrive(page: str) -> None:
    """At the start of a run: a newly opened page takes its address; otherwise `visit` has set the request."""
    st.session_state["_pending"] = set()
    st.session_state.setdefault("_session", secrets.token_hex(4))
    parameters = st.query_params.to_dict()
    beside = _read(parameters.pop(SAID, ""))
    if st.session_state.get("_page") != page or read({}, beside, _request()).number > _request().number:
        visit(parameters, beside, page)
    st.session_state["_shown"] = Shown()


def _read(text: str) -> Any:
    """The browser's values beside the address; None for a link from elsewhere."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def visit(parameters: Mapping[str, Any], said: Any = None, page: str = "") -> None:
    """Sets the request for the next run. Nothing from a browser is trusted.

    Args:
        said: {number, dormant, carried, of} beside the address; None for a link.
        page: the page that is opened with it.
    """
    st.session_state["_request"] = read(parameters, said, _request())
    if not (lecture() or pop("_leads")):  # in lecture mode nobody has read the notices, nor on a page that led to this one
        st.session_state["_said"] = []
    if page:
        st.session_state["_page"] = page


def _request() -> Request:
    request: Request = st.session_state.get("_request") or Request()
    return request


def redirect(parameters: Mapping[str, str]) -> None:
    """Replaces the parameters of this run; to be called before controls are drawn."""
    st.session_state["_request"] = replace(_request(), parameters=dict(parameters))


def is_link() -> bool:
    """Whether the request is a link, which consists of an address only."""
    return _request().is_link


def visited() -> dict[str, Any]:
    """Identifies the visit that this run answers."""
    request = _request()
    return {"session": session(), "visited": request.number, "brought": request.brought}


def parameter(name: str) -> str | None:
    """A parameter of this run's request; None if absent."""
    request = _request()
    return request.parameters.get(name, request.dormant.get(name))


def link() -> dict[str, str]:
    """All parameters of the request, of this run or the next."""
    return dict(_request().parameters)


def carried(name: str) -> str:
    """A value that the browser carries from page to page; empty if there is none."""
    return _request().carried.get(name, "")


def carry(name: str, value: str) -> None:
    """Gives the browser a value to carry from page to page."""
    if value:
        shown().carried[name] = value


def belongs(name: str, of: object) -> bool | None:
    """Whether a value in the address refers to `of`, such as a list of tokens; None if the value is new."""
    now, before = blake2s(repr(of).encode("utf-8", "replace"), digest_size=4).hexdigest(), _request().of.get(name)
    shown().of[name] = now
    return None if before is None else before == now


def is_new(name: str) -> bool:
    """Whether the address names a value that was not shown before: by a link, or just picked."""
    return name in _request().parameters and name not in _request().of


def lead(**parameters: str) -> NoReturn:
    """Restarts this run with other parameters in the address."""
    request = _request()
    parameters = {**request.parameters, **parameters}
    st.session_state["_request"] = replace(
        request, parameters=parameters, of=request.of | shown().of, brought=request.brought + 1, is_link=False
    )
    st.rerun()


def keep(name: str, value: str, default: str = "") -> None:
    """Puts a parameter into the address, unless it has the default value, which is left out."""
    now = shown()
    if name in now.wrong:
        now.wrong.remove(name)
    now.parameters.pop(name, None)
    if value != default:
        now.parameters[name] = value


def end_run(*, failed: bool = False) -> None:
    """Ends an uninterrupted run: values read with `pending` are dropped, and what was shown becomes the request."""
    for name in st.session_state["_pending"]:
        st.session_state.pop(name, None)
    st.session_state["_pending"] = set()
    if not failed:
        request, now = _request(), shown()
        of = request.of | now.of
        st.session_state["_request"] = replace(request, parameters=address(), carried=dict(now.carried), of=of, is_link=False)


def shown() -> Shown:
    """The parameters and values that this run has shown so far."""
    so_far: Shown = st.session_state["_shown"]
    return so_far


def address() -> dict[str, str]:
    """The address's parameters shown so far."""
    return dict(shown().parameters)


@contextmanager
def apart() -> Iterator[None]:
    """Around pages drawn without a session, whose state Streamlit would keep for the whole process: restores it at the end."""
    before = dict(st.session_state)
    try:
        yield
    finally:
        for name in [*st.session_state]:
            del st.session_state[name]
        st.session_state.update(before)


def is_recorded() -> bool:
    """Whether this run only records its drawings, without a browser."""
    return "_recorded" in st.session_state


def record(page: object) -> bool:
    """Leaves the drawn page to the recorder, if there is one."""
    if is_recorded():
        st.session_state["_recorded"] = page
    return is_recorded()


def record_part(*part: Any) -> None:
    """Notes a part that a recorded run mounts, see `talk_file/record.py`."""
    if (parts := st.session_state.get("_parts")) is not None:
        parts.append(part)


def record_picks(name: str, leads: Mapping[str, Mapping[str, str]]) -> None:
    """Notes the values of a control in a figure, for a site to record each of them.

    Args:
        leads: value → the parameters that it stands for once it is picked.
    """
    record_part("picks", name, leads, False)


def heard(key: str, event: str) -> Any:
    """The last message of a browser-side part; None during a page change, after which the part sends it again.

    If two runs begin at once, Streamlit may store a message as the part's state, which would hide all later messages; so this
    state is deleted first.
    """
    state = st.session_state.get(key) or {}
    for name in [*state]:
        del state[name]
    return (st.session_state.get(key) or {}).get(event)


def session() -> str:
    """The session's name, by which the browser notices a new session."""
    name: str = st.session_state["_session"]
    return name


def tour() -> list[str]:
    """The names of all pages, in the order of the tour."""
    return list(st.session_state.get("_tour", []))


def get(name: str, default: Any = None) -> Any:
    """The reader's own state, such as a training; or the value of a control of Streamlit's."""
    return st.session_state.get(name, default)


def let_interrupt() -> None:
    """Ends this run if its reader has requested another; for code that waits without drawing."""
    st.session_state.get("_session")  # any access to the state does it, as does any message to the browser


def pop(name: str) -> Any:
    """Reads a value once and removes it at once, even if the run is then interrupted; compare `pending`."""
    return st.session_state.pop(name, None)


def pending(name: str) -> Any:
    """Reads a value left for one run; it stays until a run that has read it ends without interruption."""
    st.session_state["_pending"].add(name)
    return st.session_state.get(name)


def change(**values: Any) -> None:
    """Sets the reader's own state; for controls of Streamlit's, before they are drawn."""
    st.session_state.update(values)


def notices() -> list[Notice]:
    """The notices about this address."""
    return list(st.session_state["_said"])


def notify(notice: Notice) -> None:
    """Adds a notice, which stays until another address is visited."""
    waiting = st.session_state.setdefault("_said", [])
    if notice not in waiting:  # an earlier run may have added it
        waiting.append(notice)


def notify_replaced(name: str, asked: str, shown: object, *, nearest: bool = False) -> None:
    """Adds a notice about an invalid value in the link and its replacement."""
    notify(Notice("nearest" if nearest else "unknown", {"name": name, "asked": asked[:40], "shown": shown}))


def notify_ignored(name: str, options: Sequence[str]) -> None:
    """Adds a notice about an invalid value that is ignored, with the valid options, if any."""
    known = enumerated(option for option in options if option)
    notify(Notice("look_option" if known else "look", {"name": name, "asked": (parameter(name) or "")[:40], "options": known}))


def linked_option(name: str, options: Sequence[str]) -> str:
    """The address's option; empty if absent or, with a notice, if invalid."""
    value = parameter(name) or ""
    if not value or value in options:
        return value
    notify_ignored(name, options)
    return ""


def linked(name: str, options: Sequence[str]) -> str:
    """The address's option; the first one if absent or, with a notice, if invalid."""
    value = parameter(name)
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
