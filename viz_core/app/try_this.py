"""Try this: small lessons at the foot of a page, each a question that its figure answers.

A button sets what is asked about and goes up to the figure. There one line asks the question and says what to look at; opened, it
gives the answer. It stays until it is closed, or until the page, the sentence or the model is another one.
"""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from viz_core.app import chosen, edited, page_options, session
from viz_core.app.markup import close_thousands
from viz_core.app.page import Page
from viz_core.app.talks import current
from viz_core.edits import Edits
from viz_core.texts import fill, texts

ASKED_ABOUT = ("text", "target", "model")
"""With another of these, the answer is no longer that of the figure."""


def buttons(this: Page) -> None:
    """At the foot of a page: a button for each of its questions about this model; where there are none, about the first one."""
    entries, words = this.texts.get("try", []), texts("app.frame")
    measured = [measured_on(entry) for entry in entries]
    model = this.view.checkpoint.name if this.view.checkpoint.name in measured else chosen.DEFAULT_MODEL
    if model not in measured:
        return
    with st.container(key="_tries", horizontal=True, vertical_alignment="center"):
        st.header(words["try_this"], anchor=False, width="content")
        if model != this.view.checkpoint.name and model in chosen.offered():
            st.caption(fill(words["try_with"], {"model": model}), width="content")
        for i, entry in enumerate(entries):
            if measured[i] == model:
                st.button(entry["label"], key=f"_try_{this.name}_{i}", on_click=_try, args=(this, i))


def measured_on(entry: Mapping[str, Any]) -> str:
    """The model that an entry speaks of."""
    return str(entry["set"].get("model", chosen.DEFAULT_MODEL))


def question(this: Page) -> None:
    """Below the title: the question whose button was pressed, what to look at, and the answer behind it.

    Nothing while a talk is given, which has its own words.
    """
    asked = session.get("_tried")
    if asked is None:
        return
    if (
        asked != (this.name, asked[1], _asked_about())
        or session.arrived()
        or this.view.checkpoint.name != measured_on(this.texts["try"][asked[1]])
    ):
        _close()
        return
    if current.given():
        return
    words, entry = texts("app.frame"), this.texts["try"][asked[1]]
    with st.container(key="_tried", horizontal=True, vertical_alignment="top", gap="small"):
        label = close_thousands(f"**{entry['label']}** {entry['look']} **:primary[{words['answer']}]**")
        with st.expander(label, key=f"_tried_{this.name}_{asked[1]}"):
            st.markdown(close_thousands(entry["answer"]))
        st.button(words["close"], key="_tried_close", icon=":material/close:", type="tertiary", on_click=_close)


def _close() -> None:
    session.change(_tried=None)


def _asked_about() -> tuple[Any, ...]:
    return tuple(session.get(name) for name in ASKED_ABOUT)


def _try(this: Page, at: int) -> None:
    """Does what an entry of "try this" names, and goes up to the figure.

    `set` names what the top bar and the steps choose, where `last` is the last layer, head or step, and the edits, as in a link;
    `own` names controls of the page, and what its browser-side parts show, as in a link. The model is the one that was measured,
    as trained.
    """
    view, entry = this.view, this.texts["try"][at]
    last = {"layer": chosen.layers_of(this.name, view.config), "head": view.config.n_heads, "step": len(view.explanation.steps)}
    values = {name: last[name] if value == "last" else value for name, value in entry["set"].items()}
    edited.put_everywhere(False)
    if "edits" in values:
        link = fill(str(values.pop("edits")), {"layers": view.config.common_layers, "heads": view.config.n_heads})
        edited.change(Edits.from_link(link)[0])
    own: Mapping[str, Any] = entry.get("own", {})
    values |= {f"{this.name}_{name}": value for name, value in own.items()}
    values |= {f"{this.name}_at": None, "_up": True}
    values["model"] = measured_on(entry) if measured_on(entry) in chosen.offered() else view.checkpoint.name
    if {"layer", "head"} & set(values):
        values["_head_chosen"] = True  # else the app could open the new sentence on a head of its own choice
    if this.name == "self_attention" and "cell" in own:  # whose query is the token that one looks at
        values["token"] = int(str(own["cell"]).partition("-")[0])
    if "text" in values:
        values = {"target": "", "step": 1, "token": chosen.DEFAULT_TOKEN} | values
    session.change(**values)
    page_options.change(this.name, page_options.linked(this.name, {name: str(value) for name, value in own.items()})[0])
    session.change(_tried=(this.name, at, _asked_about()))
