"""The link to what is shown, as another browser opens it, and its QR code."""

from __future__ import annotations

from functools import lru_cache
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode, urlsplit, urlunsplit

import segno
import streamlit as st

from viz_core.app import page_options, session
from viz_core.app.components import connect
from viz_core.browser.pack import EXACT
from viz_core.errors import LinkError
from viz_core.params import SHARED, STAGED, WALKED
from viz_core.texts import fill, texts
from viz_core.trace import BLOCKS

if TYPE_CHECKING:
    from viz_core.app.page import Page

LARGEST_QR = 2_953
"""Bytes that the largest QR code (version 40, correction level L) can hold, ISO/IEC 18004."""
QUIET = 4
"""Modules of white around it, which the standard asks for: without them cameras miss a code on a dark page."""


def share(this: Page) -> None:
    """At the end of a run: gives the browser the link of this view, and what it needs to write the address by itself."""
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
        "written": session.written(),
        "link": link,
        "problem": fill(words["local"], {"port": urlsplit(link).port or 8501}) if only_here(link) else "",
        "code": code,
        "no_code": no_code,
        "address": _address(this),
        "picked_by": this.picked_by,
        "picked_below": this.picked_below,
        "follows": sorted({"lecture", *this.follows, *_inexact(this)}),
    }
    connect("share", data, ("code",), lambda *_: session.change(_code_asked=True))


def _address(this: Page) -> dict[str, Any]:
    """What the browser writes the address with: the parameters that are not its own; and of its own, the values left out."""
    first = {name: param.write(param.usual) for name, param in (WALKED | SHARED).items()}
    first |= {name: value for name, value in page_options.first(this.name).items() if name not in this.own}
    kept = {name: value for name, value in session.address().items() if name not in first}
    return {"page": this.name, "kept": kept, "first": first}


def _inexact(this: Page) -> tuple[str, ...]:
    """Of a long sentence the browser has rounded numbers; those of the locked cell come from Python."""
    config, explanation = this.view.config, this.view.explanation
    longest = max(len(explanation.source), len(explanation.target))
    rounded = this.stage and 4 * max(config.layers(stack) for stack in BLOCKS) * config.n_heads * longest**2 > EXACT
    return ("layer", "head", "cell") if rounded else ()


def link_to(url: str, address: dict[str, str]) -> str:
    """The address of a view without what belongs to the stage. url: of its page."""
    parts = urlsplit(url)
    query = urlencode({name: value for name, value in address.items() if name not in STAGED}, errors="replace")
    return urlunsplit((parts.scheme, parts.netloc, parts.path or "/", query, ""))


def only_here(link: str) -> bool:
    """Whether the link names this machine by a name that means another one elsewhere."""
    host = urlsplit(link).hostname or ""
    try:
        address = ip_address(host)
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
    return address.is_loopback or address.is_unspecified


@lru_cache(64)
def qr_code(link: str) -> str:
    """The QR code of a link as the address of an image, black on white in both themes, as cameras read it.

    It has as few modules as possible, so that the last row can read it.

    Raises:
        LinkError: the link is empty, or too long for any code.
    """
    content = link.encode("utf-8", "replace")
    if not content:
        raise LinkError("There is no link to draw.")
    try:
        drawn = segno.make(content, error="l", mode="byte", micro=False)
    except segno.DataOverflowError as error:
        size = f"{len(content):,} bytes, at most {LARGEST_QR:,}"
        raise LinkError(f"This link is too long for a QR code: {size}. A shorter sentence will do.") from error
    return drawn.svg_data_uri(border=QUIET, dark="#000", light="#fff", omitsize=True)
