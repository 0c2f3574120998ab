"""Between the browser's store and Python: the view is sent with every run, and comes back once the reader has paused."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, replace
from hashlib import blake2s
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from viz_core.analysis.attention import cell
from viz_core.app import chosen, formulas, page_options, session, snapshots
from viz_core.app.addressed import path_of
from viz_core.app.cache import cached
from viz_core.app.components import connect, part_key
from viz_core.app.controls import walks_source
from viz_core.app.server import PROCESS, alive_path, notes_path, plotly_address
from viz_core.app.talks import current, in_browser
from viz_core.app.view_options import Stage, View, from_store, staged
from viz_core.browser.output_payload import written
from viz_core.browser.prediction import answers, hidden_on, prediction
from viz_core.edits import describe
from viz_core.explain import Notice
from viz_core.figures.palette import Palette
from viz_core.params import ASKED, SWITCH, WALKED
from viz_core.texts import texts, visible
from viz_core.trace import Kind

if TYPE_CHECKING:
    from viz_core.app.page import Page


def player(this: Page) -> None:
    """The part that drives all others."""
    session.change(_run=session.get("_run", 0) + 1)
    words = texts("app.lecture")
    with this.following():  # the question of an exercise
        talk = current.payload(this.view)
    data = {
        "session": session.session(),
        "visited": session.get("_visited", 0),
        "path": path_of(this.name),
        "run": session.get("_run"),
        "heard": session.get("_heard", 0),
        "talk": talk,
        "kept": in_browser.payload(),
        "trains": session.get("_trains", False),
        "bar": words["bar"],
        "covers": words["covers"],
        "lesson": words["lesson"],
        "exact": exact(this),
        "alive": alive_path(),
        "process": PROCESS,
        "notes_page": notes_path(),
        "formulas": formulas.address(),
        "plotly": plotly_address(),
    }
    connect("player", this.start | data, ("view", "go", "talk", "snapshot", "add", "kept", "lost"), _hear)


def start(page: str, view: View, palette: Palette, stage: Stage, *, cell_of_step: bool = False) -> dict[str, Any]:
    """What the browser's store starts with, here and in a file of its own.

    Args:
        cell_of_step: whether a cell is picked at one step alone.
    """
    words = texts("app.player")
    asked = answers(page)
    return {
        "limits": {
            "page": page,
            "text": _name(view),
            "source": visible(view.explanation.source.text),
            "written": written(view.explanation),
            "edited": _edited(view),
            "steps": len(view.explanation.steps),
            "layers": chosen.layers_of(page, view.config),
            "heads": view.config.n_heads,
            "tokens": len(view.explanation.source),
            "walks": "token" if walks_source(page) else "step",
            "stages": stage or "",
            "cell_of_step": cell_of_step,
            "question": {
                **cached(prediction, view.explanation, view.checkpoint.tokenizer, "source" if asked[0] == "source" else "word"),
                "answers": asked,
            },
            "snapshot": snapshots.place(view.checkpoint),
        },
        "view": {
            **{name: getattr(view, name) for name in WALKED},
            **asdict(page_options.current(page)),
            **shared(page),
        },
        "theme": asdict(palette),
        "texts": words,
    }


def sync_cell(page: str, view: View, kind: Kind) -> None:
    """Before anything is drawn: a cell of a link that this sentence lacks becomes the nearest, and a notice says so."""
    options = page_options.current(page)
    if options.cell is None or not session.arrived():
        return
    rows, columns = view.trace.attention(kind, 0).mask.shape
    near = min(options.cell[0], rows - 1), min(options.cell[1], columns - 1)
    if near != options.cell:
        asked, shown = (f"{query + 1}-{key + 1}" for query, key in (options.cell, near))
        session.say_instead(texts("app.attention")["cell"], asked, shown, nearest=True)
        page_options.change(page, replace(options, cell=near))


def shared(page: str) -> dict[str, Any]:
    """What holds on every page, beside step, layer and head; nothing is hidden that this page cannot hide."""
    predict = session.get("_predict", "")
    return {"predict": predict if predict in hidden_on(page) else "", "lecture": bool(session.get("_lecture"))}


def sync_shared(page: str) -> None:
    """At the start of a run: lecture mode and prediction as the link asks for them, and into the address."""
    if session.arrived():
        predict = session.linked_option("predict", hidden_on(page))
        lecture = session.linked_option("lecture", SWITCH)
        session.change(_predict=predict, _lecture=lecture == "on" and not current.is_missing())
    session.keep("predict", shared(page)["predict"])
    session.keep("lecture", "on" if shared(page)["lecture"] else "")


UNASKED = ("kept", "lost")
"""Messages that no reader has caused."""


def _hear(name: str, message: Any) -> None:
    """A message of the browser, which may be any browser's: nothing of it is trusted."""
    if name in UNASKED:
        session.say_again()
    if name == "view" and isinstance(message, Mapping):
        session.change(_told=dict(message))
    elif name == "go" and isinstance(message, str):
        session.change(_go=message)
    elif name == "go" and isinstance(message, Mapping):
        _hear_place(message)
    elif name == "talk" and isinstance(message, Mapping):
        current.hear(message)
    elif name == "talk" and message is None:
        current.show_again()
    elif name == "snapshot":
        snapshots.move(message)
    elif name == "add" and isinstance(message, str) and message in session.tour():
        session.change(_add_view=message)
    elif name == "kept":
        in_browser.restore(message)
    elif name == "lost" and message == "training":
        session.say(Notice("lost_training", {}))


def _hear_place(message: Mapping[str, Any]) -> None:
    """Another page, and what is to be seen there."""
    page, values = message.get("page"), message.get("view")
    if isinstance(page, str) and page in session.tour() and isinstance(values, Mapping):
        page_options.change(page, from_store(values))
        session.change(_go=page)


def take_told() -> None:
    """At the start of a run: what the browser says that it shows, where a callback has not set something newer."""
    message = session.get("_told")
    if message and not session.arrived():
        _hear_view(message, session.touched())
    session.take("_told")  # only now: each look at the state may end a run that another message interrupts


def hear_shown() -> None:
    """In a callback that asks for layer, head or step: what came with the click, which `take_told` would take later."""
    message = session.take("_told") or session.heard(part_key("player"), "view")  # this callback may be the first of both
    if isinstance(message, Mapping):
        with session.as_shown():
            _hear_view(message)


def _hear_view(message: Mapping[str, Any], newer: Mapping[str, Any] = MappingProxyType({})) -> None:
    """What the browser shows.

    Args:
        newer: what is to stay, with what it was when the browser got it.
    """
    if message.get("session") != session.session():
        return  # said to a server that is gone; this one has begun with what the address says
    number, page, values = message.get("number"), message.get("page"), message.get("view")
    if type(number) is not int or not isinstance(page, str) or not isinstance(values, Mapping):
        return
    found: dict[str, Any] = {"_lecture": values.get("lecture") is True}
    for name in WALKED:
        if type(values.get(name)) is int and 0 <= values[name] < 1_000_000:
            found[name] = values[name] + 1
    if values.get("predict") in ("", *ASKED):
        found["_predict"] = values["predict"]
    session.change(_heard=number, **{name: value for name, value in found.items() if name not in newer})
    if page in session.tour():
        page_options.take(page, from_store(values), newer)


def exact(this: Page) -> dict[str, Any] | None:
    """The numbers of the locked cell, as the trace has them: long sentences travel rounded."""
    view, options = this.view, this.view_options
    kind = staged(this.stage, options)
    if kind is None or options.cell is None:
        return None
    attention, (query, key) = view.trace.attention(kind, view.layer), options.cell
    if query >= attention.mask.shape[0] or key >= attention.mask.shape[1]:
        return None
    one = cell(attention, view.head, query, key)
    numbers = {name: float(getattr(one, name)) for name in ("score", "scaled", "exp", "total", "weight")}
    finite = {name: value if math.isfinite(value) else None for name, value in numbers.items()}
    return {"kind": kind, "layer": view.layer, "head": view.head, "query": query, "key": key, **finite}


def _name(view: View) -> str:
    """Another sentence, another name."""
    ex = view.explanation
    parts = (view.checkpoint.digest, ex.source.text, ex.text, str(ex.given_target), ex.edits.link())
    return blake2s("\0".join(parts).encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def _edited(view: View) -> str:
    """What is changed in the model, in a line for pictures; empty where it is as trained."""
    made = describe(view.explanation.edits)
    return " ".join([texts("edits")["banner"], *made]) if made else ""
