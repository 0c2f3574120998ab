"""The link to the current view, and its QR code."""

from functools import lru_cache
from ipaddress import ip_address
from urllib.parse import urlencode, urlsplit, urlunsplit

import segno
import streamlit as st

from viz_core.app import session
from viz_core.app.components import connect
from viz_core.errors import LinkError
from viz_core.params import STAGED
from viz_core.texts import fill, texts

LARGEST_QR = 2_953
"""Bytes that the largest QR code (version 40, correction level L) can hold, ISO/IEC 18004."""
QUIET = 4
"""White modules around the code, as the standard requires: without them cameras miss a code on a dark page."""


def share() -> None:
    """At the end of a run: the link of this view, and its QR code once requested."""
    words = texts("app.lecture")["share"]
    link = link_to(st.context.url or "", session.address())
    code, no_code = "", ""
    if session.pending("_code_asked"):
        try:
            code = qr_code(link)
        except LinkError as error:
            no_code = str(error)
    data = {
        "label": words["label"],
        "run": session.get("_run"),
        "link": link,
        "problem": fill(words["local"], {"port": urlsplit(link).port or 8501}) if only_here(link) else "",
        "code": code,
        "no_code": no_code,
    }
    connect("share", data, ("code",), lambda *_: session.change(_code_asked=True))


def link_to(url: str, address: dict[str, str]) -> str:
    """The address of a view, without lecture mode and talk. url: of its page."""
    parts = urlsplit(url)
    query = urlencode({name: value for name, value in address.items() if name not in STAGED}, errors="replace")
    return urlunsplit((parts.scheme, parts.netloc, parts.path or "/", query, ""))


def only_here(link: str) -> bool:
    """Whether the link's host means another machine on other machines, as localhost does."""
    host = urlsplit(link).hostname or ""
    try:
        address = ip_address(host)
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
    return address.is_loopback or address.is_unspecified


@lru_cache(64)
def qr_code(link: str) -> str:
    """The QR code of a link as a data URI, black on white in both themes, for cameras.

    It has as few modules as possible, so that the last row can scan it.

    Raises:
        LinkError: the link is empty, or too long for any code.
    """
    content = link.encode("utf-8", "replace")
    if not content:
        raise LinkError("There is no link to draw.")
    try:
        code = segno.make(content, error="l", mode="byte", micro=False)
    except segno.DataOverflowError as error:
        size = f"{len(content):,} bytes, at most {LARGEST_QR:,}"
        raise LinkError(f"This link is too long for a QR code: {size}. A shorter sentence will do.") from error
    return code.svg_data_uri(border=QUIET, dark="#000", light="#fff", omitsize=True)
