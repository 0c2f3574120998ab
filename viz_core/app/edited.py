"""The edited model: what is changed, on which pages, and the banner that says so.

The page `/what_if` shows a draft of edits beside the model as trained. Applied everywhere, the draft holds on all other pages until
it is removed.
"""

import streamlit as st

from viz_core.app import session
from viz_core.app.markup import markdown
from viz_core.edits import NONE, Edits, describe
from viz_core.explain import Explanation, Notice
from viz_core.params import SWITCH
from viz_core.texts import texts

PAIR = "compare_pair"
"""The control of the page Compare that says what it compares; `edits` sets the model as trained beside the edited one."""


def sync_from_url(page: str) -> None:
    """At the start of a run: the edits as the link asks for them, and into the address."""
    if session.arrived():
        edits, wrong = Edits.from_link(session.asked("edits") or "")
        everywhere = session.linked_option("everywhere", SWITCH) == "on" or not _beside(page)
        session.change(_edits=edits, _everywhere=bool(edits) and everywhere)
        for entry in wrong:
            session.say(Notice("edit_unknown", {"asked": entry}))
    beside = _beside(page)
    session.keep("edits", draft().link() if beside or everywhere_on() else "")
    session.keep("everywhere", "on" if beside and everywhere_on() else "")


def draft() -> Edits:
    """The edits of the draft, whether or not they apply to the other pages."""
    edits: Edits = session.get("_edits", NONE)
    return edits


def change(edits: Edits) -> None:
    """Another draft, from the next run on; for callbacks."""
    session.change(_edits=edits, _everywhere=everywhere_on() and bool(edits))


def everywhere_on() -> bool:
    """Whether the draft applies to the other pages."""
    return bool(draft()) and bool(session.get("_everywhere"))


def put_everywhere(on: bool) -> None:
    """Applies the draft to the other pages, or removes it from them; for callbacks."""
    session.change(_everywhere=on)


def here(page: str) -> Edits:
    """The edits that apply to a page."""
    return draft() if everywhere_on() and not _beside(page) else NONE


def _beside(page: str) -> bool:
    """Whether a page shows the model as trained beside the edited one."""
    return page == "what_if" or (
        page == "compare" and (session.asked("pair") if session.arrived() else session.get(PAIR)) == "edits"
    )


def banner(explanation: Explanation) -> None:
    """Where a page shows the edited model: that it does, what is changed, and the way out."""
    if not explanation.edits:
        return
    words = texts("edits")
    with st.container(key="_edited", horizontal=True, vertical_alignment="center"):
        st.markdown(" ".join([f"**{words['banner']}**", *(markdown(sentence) for sentence in describe(explanation.edits))]))
        st.button(words["change"], key="_edited_change", on_click=session.change, kwargs={"_go": "what_if"})
        st.button(words["out"], key="_edited_out", on_click=put_everywhere, args=(False,))
