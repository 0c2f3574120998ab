"""The top bar, drawn in the browser: the sentence, typed in place, with its output; layer, head, model; link and QR code."""

from contextlib import suppress
from dataclasses import asdict
from functools import lru_cache
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlencode, urlsplit, urlunsplit

import segno
import streamlit as st

from viz_core.analysis.next_token import doubt, fits
from viz_core.app import chosen, models, session
from viz_core.app.cache import cached
from viz_core.app.components import connect
from viz_core.app.examples import examples
from viz_core.app.view_options import View
from viz_core.browser.attention_payload import byte_notes
from viz_core.errors import LinkError, VizError
from viz_core.figures.base import percent
from viz_core.figures.palette import Palette
from viz_core.params import STAGED
from viz_core.texts import fill, texts, visible
from viz_core.words import Token


def top_bar(page: str, view: View | None, palette: Palette) -> None:
    """Draws the top bar, on every page before everything else. view: None if there is no sentence; the page then asks for one."""
    data: dict[str, Any] = {
        **chips(view),
        "page": page,
        "starts": view is not None and page == "overview" and chosen.untouched(),
        **why_doubted(view),
        "typed": chosen.typed(),
        "suggested": {"source": "", "target": view.explanation.text if view else ""},
        "model": chosen.model_name(),
        "models": chosen.offered(),
        "examples": examples(chosen.source_language()),
        "theme": asdict(palette),
    }
    connect("top_bar", data)


def chips(view: View | None) -> dict[str, Any]:
    """The tokens of source and target with their words: all that an exported file shows of it."""
    if view is None:
        return {"source": [], "target": [], "languages": []}
    explanation = view.explanation
    target = (explanation.target.tokens[0], *explanation.output)
    return {
        "source": _chips(explanation.source.tokens, explanation.source.text),
        "target": _chips(target, explanation.text),
        "languages": [view.checkpoint.source_language, view.checkpoint.target_language],
        "given": explanation.given_target,
        "codes": ", ".join(view.checkpoint.source_tokenizer.target_codes),
    }


def line(view: View) -> dict[str, Any]:
    """The additional data with which a sentence can be typed into the bar of a live file."""
    sentence = view.sentence
    return {
        "typed": {"source": sentence.text, "target": sentence.target},
        "suggested": {"source": "", "target": view.explanation.text},
        "examples": examples(view.checkpoint.source_language),
    }


def why_doubted(view: View | None) -> dict[str, Any]:
    """doubt: a sentence on why the translation is probably bad, or empty; fits: [model, words of its button] of a model that suits
    this text, or None.
    """
    if view is None:
        return {"doubt": "", "fits": None}
    language = view.checkpoint.source_language
    doubted = cached(doubt, view.explanation, view.checkpoint.source_tokenizer, language)
    if doubted is None:
        return {"doubt": "", "fits": None}
    words = texts("app.top_bar")
    values = {"share": percent(doubted.share), "language": words["from"].get(language, language)}
    fitting = _fitting(view) if doubted.reason != "improbable" else None
    button = [fitting, fill(words["switch"], {"model": fitting})] if fitting else None
    return {"doubt": fill(words["doubts"][doubted.reason], values), "fits": button}


def _fitting(view: View) -> str | None:
    """The first model for another language that can read this text."""
    text = view.explanation.source.text
    for name in chosen.offered():
        with suppress(VizError):  # a model removed in the meantime
            other = models.get_checkpoint(name)
            if other.source_language != view.checkpoint.source_language and fits(text, other):
                return name
    return None


def _chips(tokens: tuple[Token, ...], text: str) -> list[tuple[str, int | None, str]]:
    """For each token its text, its word, and a note."""
    notes = byte_notes(tokens, text)
    return [(visible(token.text), token.word, note) for token, note in zip(tokens, notes, strict=True)]


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
    """Whether the link works on this machine only, because its host, such as localhost, is another machine elsewhere."""
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
