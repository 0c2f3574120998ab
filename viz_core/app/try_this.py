"""Try this: small lessons at the foot of a page, each a question that the figure answers.

A button sets the view for its question and scrolls up to the figure. There, one line has the question and what to look at; opened,
it gives the answer. It stays until it is closed, or page, sentence or model change.
"""

from collections.abc import Mapping
from hashlib import blake2s
from html import escape
from types import MappingProxyType
from typing import Any

import streamlit as st

from viz_core.app import chosen, controls, edited, session
from viz_core.app.controls import draw_link, link
from viz_core.app.markup import close_thousands
from viz_core.app.page import Page
from viz_core.app.talks import current
from viz_core.params import OPTIONS
from viz_core.texts import fill, texts
from viz_core.training import snapshots


def buttons(this: Page) -> None:
    """At the foot of a page: a button for each question about this model or, if there is none, about the default model."""
    entries, words = this.texts.get("try", []), texts("app.frame")
    measured = [measured_on(entry) for entry in entries]
    model = this.view.checkpoint.name if this.view.checkpoint.name in measured else chosen.DEFAULT_MODEL
    if model not in measured:
        return
    lines = [f"<h2>{escape(words['try_this'])}</h2>"]
    if model != this.view.checkpoint.name and model in chosen.offered():
        lines.append(f"<small>{escape(fill(words['try_with'], {'model': model}))}</small>")
    labels = ((at, entry["label"]) for at, entry in enumerate(entries) if measured[at] == model)
    links = (link(label, f"try_{this.name}_{at}", _changes(this, at), up=True) for at, label in labels)
    st.html(f"<div class=tries>{''.join((*lines, *links))}</div>")


def measured_on(entry: Mapping[str, Any]) -> str:
    """The model that an entry is about."""
    return str(entry["set"].get("model", chosen.DEFAULT_MODEL))


def question(this: Page) -> None:
    """Below the title: the tried question, what to look at, and the answer behind it.

    Nothing during a talk, which has its own words.
    """
    tried = session.carried("tried")
    at = next((at for at, _ in enumerate(this.texts.get("try", [])) if tried == _question(this, at)), None)
    if at is None:
        return
    session.carry("tried", tried)
    if current.running_talk():
        return
    words, entry = texts("app.frame"), this.texts["try"][at]
    with st.container(key="_tried", horizontal=True, vertical_alignment="top", gap="small"):
        label = close_thousands(f"**{entry['label']}** {entry['look']} **:primary[{words['answer']}]**")
        with st.expander(label, key=f"_tried_{this.name}_{at}"):
            st.markdown(close_thousands(entry["answer"]))
        draw_link(words["close"], "tried_close", {"tried": None}, icon="close")


def _question(this: Page, at: int, changes: Mapping[str, Any] = MappingProxyType({})) -> str:
    """A name for a question about the current view, or the view after these changes of the address."""
    typed, model = chosen.typed(), snapshots.split_name(this.view.checkpoint.name)[0]
    shown = {"model": model, "text": typed["source"], "target": typed["target"], **changes}
    about = *(shown[name] or "" for name in ("model", "text", "target")), this.name, at
    return blake2s(repr(about).encode("utf-8", "replace"), digest_size=6).hexdigest()


def _changes(this: Page, at: int) -> dict[str, str | None]:
    """The changes of the address for an entry of "try this".

    `set` has choices of the top bar and the steps (`last` is the last layer, head or step) and the edits, as in a link; `own` has
    values of the page's controls and options of its browser-side parts, as in a link. The model is the measured one, as trained.
    """
    view, entry, declared = this.view, this.texts["try"][at], controls.declared(this.name)
    last = {"layer": chosen.layers_of(this.name, view.config), "head": view.config.n_heads, "step": len(view.explanation.steps)}
    found: dict[str, str | None] = {**dict.fromkeys(OPTIONS.keys() - declared), **edited.put_everywhere(False), "snapshot": None}
    found["model"] = measured_on(entry) if measured_on(entry) in chosen.offered() else view.checkpoint.name
    if "text" in entry["set"]:
        found |= chosen.ANEW
    found |= {name: str(last[name] if value == "last" else value) for name, value in entry["set"].items() if name != "model"}
    if link := found.pop("edits") if "edits" in entry["set"] else "":
        found |= edited.drafted(fill(link, {"layers": view.config.common_layers, "heads": view.config.n_heads}))
    own = entry.get("own", {})
    for name, value in own.items():
        found[name] = declared[name].write(value) if name in declared and not isinstance(value, str) else str(value)
    if {"layer", "head"} & found.keys():
        found["opening"] = None  # else the app might pick a head of its own for the new sentence
    if this.name == "self_attention" and "cell" in own:  # the cell's query is the focused token
        found["token"] = str(own["cell"]).partition("-")[0]
    return found | {"tried": _question(this, at, found)}
