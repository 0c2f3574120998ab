"""Try this: small lessons at the foot of a page, each a question that the figure answers.

A button sets the view for its question and scrolls up to the figure. There, one line has the question and what to look at; opened,
it gives the answer. It stays until it is closed, or page, sentence or model change.
"""

from collections.abc import Mapping, Sequence
from hashlib import blake2s
from typing import Any

import streamlit as st

from viz_core.app import chosen, controls, edited, session
from viz_core.app.components import connect
from viz_core.app.page import Page
from viz_core.app.talks import current
from viz_core.params import OPTIONS
from viz_core.texts import fill, texts
from viz_core.training import snapshots


def buttons(this: Page) -> None:
    """At the foot of a page: a button for each question about this model or, if there is none, about the default model."""
    measured = [measured_on(entry) for entry in this.texts.get("try", [])]
    model = this.view.checkpoint.name if this.view.checkpoint.name in measured else chosen.DEFAULT_MODEL
    if model not in measured:
        return
    is_other = model != this.view.checkpoint.name and model in chosen.offered()
    note = fill(texts("app.frame")["try_with"], {"model": model}) if is_other else ""
    _draw(this, [index for index, about in enumerate(measured) if about == model], note=note)


def measured_on(entry: Mapping[str, Any]) -> str:
    """The model that an entry is about."""
    return str(entry["set"].get("model", chosen.DEFAULT_MODEL))


def question(this: Page) -> None:
    """Below the title: the tried question, what to look at, and the answer behind it.

    Nothing during a talk, which has its own words.
    """
    key, _, about = session.carried("tried").partition(" ")
    typed, model = chosen.typed(), snapshots.split_name(this.view.checkpoint.name)[0]
    here = blake2s(repr((model, typed)).encode("utf-8", "replace"), digest_size=6).hexdigest()
    index = next((index for index, _ in enumerate(this.texts.get("try", [])) if key == f"{this.name}_{index}"), None)
    if index is None or (about and about != here):
        return
    session.carry("tried", f"{key} {here}")  # of this sentence and model from now on
    if not current.running_talk():
        with st.container(key="_tried"):
            _draw(this, [index], tried=True)


def _draw(this: Page, places: Sequence[int], *, tried: bool = False, note: str = "") -> None:
    """The entries at these places of the page's list; tried: the first one as the question below the title."""
    entries = this.texts["try"]
    listed = [
        {"key": f"{this.name}_{index}", "changes": _changes(this, index)}
        | {name: entries[index][name] for name in ("label", "look", "answer")}
        for index in places
    ]
    data = {"entries": listed, "tried": tried, "note": note}
    connect("try_this", data, key="_part_tried" if tried else None)


def _changes(this: Page, index: int) -> dict[str, str | None]:
    """The changes of the address for an entry of "try this".

    `set` has choices of the top bar and the steps (`last` is the last layer, head or step) and the edits, as in a link; `own` has
    values of the page's controls and options of its browser-side parts, as in a link. The model is the measured one, as trained.
    """
    view, entry, declared = this.view, this.texts["try"][index], controls.declared(this.name)
    last = {"layer": chosen.layers_of(this.name, view.config), "head": view.config.n_heads, "step": len(view.explanation.steps)}
    usual = dict.fromkeys(name for name in OPTIONS if name not in declared)
    values: dict[str, str | None] = {**usual, **edited.put_everywhere(False), "snapshot": None}
    values["model"] = measured_on(entry) if measured_on(entry) in chosen.offered() else view.checkpoint.name
    if "text" in entry["set"]:
        values |= chosen.ANEW
    values |= {name: str(last[name] if value == "last" else value) for name, value in entry["set"].items() if name != "model"}
    if link := values.pop("edits") if "edits" in entry["set"] else "":
        values |= edited.drafted(fill(link, {"layers": view.config.common_layers, "heads": view.config.n_heads}))
    own = entry.get("own", {})
    for name, value in own.items():
        values[name] = declared[name].write(value) if name in declared and not isinstance(value, str) else str(value)
    if {"layer", "head"} & values.keys():
        values["opening"] = None  # else the app might pick a head of its own for the new sentence
    if this.name == "self_attention" and "cell" in own:  # the cell's query is the focused token
        values["token"] = str(own["cell"]).partition("-")[0]
    changes = {name: None if value is None else str(value) for name, value in values.items()}
    return changes | {"tried": f"{this.name}_{index}"}
