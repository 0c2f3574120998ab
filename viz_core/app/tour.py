"""The tour: all pages in order, what each shows, and the way to one of them without loading anything anew."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import parse_qsl

import streamlit as st

from viz_core.app import session
from viz_core.texts import texts


def go(where: str | None, address: Mapping[str, str] | None = None, *, here: str | None = None) -> None:
    """Goes to a page by its URL name, keeping the view; `residual?stack=decoder` sets a control of that page. None stays here.

    Args:
        address: what stands in the address until the page has written its own.
        here: the page that is on, where it may be the one that was asked for; its controls are then set.
    """
    name, _, own = (where or "").partition("?")
    for page in session.get("_tour", []):
        if name and (page.url_path or "overview") == name:
            session.change(**{f"{name}_{control}": value for control, value in parse_qsl(own)})
            if name != here:
                st.switch_page(page, query_params=session.address() if address is None else address)


def tour_list(title: str) -> None:
    """Every page after the first as a link, with its sentence."""
    st.header(title, anchor=False)
    for page in session.get("_tour", [])[1:]:
        link, what = st.columns([1, 3], vertical_alignment="center")
        link.page_link(page)
        what.markdown(texts(page.url_path)["what"])
