"""The edited model: its edits, the pages that show it, and their banner.

The page `/what_if` shows a draft of edits beside the model as trained. Once applied everywhere, the draft affects all other pages
until it is removed.
"""

import streamlit as st

from viz_core.app import session
from viz_core.app.controls.shown import draw_link
from viz_core.app.markup import markdown
from viz_core.edits import NONE, Edits, describe
from viz_core.explain import Explanation, Notice
from viz_core.params import SWITCH
from viz_core.texts import texts


def sync_from_url(page: str) -> None:
    """At the start of a run: takes the edits from the address and puts them back; a draft that is not applied is carried."""
    beside, linked, carried = _beside(page), session.parameter("edits"), session.carried("draft")
    edits, wrong = Edits.from_link(linked if linked is not None and (beside or not carried) else carried)
    for entry in wrong:
        session.notify(Notice("edit_unknown", {"asked": entry}))
    applied = session.linked_option("everywhere", SWITCH) == "on" or session.carried("applied") == "on"
    on = bool(edits) and (applied if beside else not carried)
    session.change(_edits=edits, _everywhere=on)
    session.keep("edits", edits.link() if beside or on else "")
    session.keep("everywhere", "on" if beside and on else "")
    session.carry("draft", "" if on else edits.link())
    session.carry("applied", "on" if on and not beside else "")


def draft() -> Edits:
    """The edits of the draft, whether or not they apply to the other pages."""
    edits: Edits = session.get("_edits", NONE)
    return edits


def everywhere_on() -> bool:
    """Whether the draft applies to the other pages."""
    return bool(session.get("_everywhere"))


def put_everywhere(on: bool) -> dict[str, str | None]:
    """Changes of the address that apply the draft to the other pages, or no longer."""
    link = draft().link() or None
    return {"everywhere": "on", "draft": None} if on else drafted(link)


def drafted(link: str | None) -> dict[str, str | None]:
    """Changes of the address for other edits, not applied to the other pages."""
    return {"edits": link, "draft": link, "everywhere": None, "applied": None}


def here(page: str) -> Edits:
    """The edits that apply to a page."""
    return draft() if everywhere_on() and not _beside(page) else NONE


def _beside(page: str) -> bool:
    """Whether a page shows the model as trained beside the edited one."""
    return page == "what_if" or (page == "compare" and session.parameter("pair") == "edits")


def banner(explanation: Explanation) -> None:
    """On a page with the edited model: says so, lists the edits, and offers a way out."""
    if not explanation.edits:
        return
    words = texts("edits")
    with st.container(key="_edited", horizontal=True, vertical_alignment="center"):
        st.markdown(" ".join([f"**{words['banner']}**", *(markdown(sentence) for sentence in describe(explanation.edits))]))
        draw_link(words["change"], "edited_change", {}, "what_if")
        draw_link(words["out"], "edited_out", put_everywhere(False))
