"""Exchanges the view with the browser's store: sent with every run, received once the reader has paused."""

from __future__ import annotations

import math
from dataclasses import asdict, replace
from hashlib import blake2s
from typing import TYPE_CHECKING, Any

from viz_core.analysis.attention import cell
from viz_core.app import chosen, page_options, session, snapshots, streamlit_files
from viz_core.app.addressed import path_of
from viz_core.app.cache import cached
from viz_core.app.components import connect
from viz_core.app.controls import walks_source
from viz_core.app.server import PROCESS, alive_path, notes_path, plotly_address
from viz_core.app.site import served
from viz_core.app.talks import current, in_browser
from viz_core.app.view_options import Stage, View, staged
from viz_core.browser.output_payload import written
from viz_core.browser.prediction import answers, hidden_on, prediction
from viz_core.edits import describe
from viz_core.explain import Notice
from viz_core.figures.palette import Palette
from viz_core.params import SWITCH, WALKED
from viz_core.texts import texts, visible
from viz_core.trace import Kind

if TYPE_CHECKING:
    from viz_core.app.page import Page


def player(this: Page) -> None:
    """Mounts the part that drives all others."""
    session.change(_run=session.get("_run", 0) + 1)
    talk = current.payload(this.view)
    if talk and talk["exercise"]:
        this.follows |= set(talk["exercise"].get("at", ()))
    data = {
        **session.visited(),
        "path": path_of(this.name),
        "run": session.get("_run"),
        "talk": talk,
        "kept": in_browser.payload(),
        "trains": session.get("_trains", False),
        "exact": exact(this),
        "alive": alive_path(),
        "process": PROCESS,
        "notes_page": notes_path(),
        "formulas": streamlit_files.address(),
        "plotly": plotly_address(),
        "counterpart": served.counterpart(),
    }
    connect("player", this.start | data, ("add", "kept", "lost"), _on_message)


def start(page: str, view: View, palette: Palette, stage: Stage, *, cell_of_step: bool = False) -> dict[str, Any]:
    """The initial state of the browser's store, here and in an exported file.

    Args:
        cell_of_step: whether a picked cell belongs to a single step.
    """
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
            **asdict(page_options.current()),
            **shared(page),
        },
        "theme": asdict(palette),
    }


def sync_cell(view: View, kind: Kind) -> None:
    """Before anything is drawn: replaces a link's cell beyond this sentence by the nearest one, with a notice."""
    options = page_options.current()
    if options.cell is None:
        return
    rows, columns = view.trace.attention(kind, 0).mask.shape
    near = min(options.cell[0], rows - 1), min(options.cell[1], columns - 1)
    if near != options.cell:
        asked, shown = (f"{query + 1}-{key + 1}" for query, key in (options.cell, near))
        session.notify_replaced(texts("app.attention")["cell"], asked, shown, nearest=True)
        page_options.change(replace(options, cell=near))


def shared(page: str) -> dict[str, Any]:
    """Settings for every page besides step, layer and head; prediction only if this page supports it."""
    predict = session.get("_predict", "")
    return {"predict": predict if predict in hidden_on(page) else "", "lecture": session.lecture()}


def sync_shared(page: str) -> None:
    """At the start of a run: takes lecture mode and prediction from the address and puts them back."""
    wanted = session.parameter("predict")  # maybe of another page, which can hide more
    predict = session.linked_option("predict", hidden_on(page)) if session.is_link() or wanted in hidden_on(page) else ""
    lecture = session.linked_option("lecture", SWITCH)
    session.change(_predict=predict, _lecture=lecture == "on" and not current.is_missing())
    session.keep("predict", shared(page)["predict"])
    session.keep("lecture", "on" if shared(page)["lecture"] else "")


def _on_message(name: str, message: Any) -> None:
    """Handles a message of the browser, which is untrusted input."""
    if name == "add" and isinstance(message, str):
        session.change(_add=(message,))
    elif name == "kept":
        in_browser.restore(message)
    elif name == "lost" and message == "training":
        session.notify(Notice("lost_training", {}))


def exact(this: Page) -> dict[str, Any] | None:
    """The exact numbers of the locked cell, since those of long sentences are sent rounded."""
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
    """A name that differs for each sentence."""
    ex = view.explanation
    parts = (view.checkpoint.digest, ex.source.text, ex.text, str(ex.given_target), ex.edits.link())
    return blake2s("\0".join(parts).encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def _edited(view: View) -> str:
    """The model's edits in one line for pictures; empty if there are none."""
    edits = describe(view.explanation.edits)
    return " ".join([texts("edits")["banner"], *edits]) if edits else ""
