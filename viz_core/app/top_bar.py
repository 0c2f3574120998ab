"""The top bar: the sentence, typed in place, with its output; layer, head and model. Drawn in the browser."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from viz_core.analysis.confidence import doubt
from viz_core.app import chosen, session
from viz_core.app.cache import cached
from viz_core.app.components import connect
from viz_core.app.view_options import View
from viz_core.figures.base import percent
from viz_core.figures.palette import Palette
from viz_core.texts import fill, texts, visible
from viz_core.words import Token


def top_bar(page: str, view: View | None, palette: Palette) -> None:
    """On every page, before all else of it. view: None while there is no sentence; each page then asks for one."""
    data: dict[str, Any] = {
        **chips(view),
        "page": page,
        "starts": view is not None and page == "overview" and chosen.untouched(),
        "doubt": _doubt(view) if view else "",
        "typed": {"source": session.get("text") or "", "target": session.get("target") or ""},
        "suggested": {"source": "", "target": view.explanation.text if view else ""},
        "model": session.get("model"),
        "models": chosen.offered(),
        "examples": _examples(),
        "theme": asdict(palette),
    }
    connect("top_bar", data, ("source", "target", "model"), _hear)


def chips(view: View | None) -> dict[str, Any]:
    """The tokens of source and target with their words, and what the bar says around them: all that a file of its own shows."""
    words = dict(texts("app.top_bar"))
    if view is None:
        return {"source": [], "target": [], "languages": [], "texts": words}
    explanation = view.explanation
    target = (explanation.target.tokens[0], *explanation.output)
    words["writes"] = words["given"] if explanation.given_target else words["writes"]
    languages = [view.checkpoint.source_language, view.checkpoint.target_language]
    return {"source": _chips(explanation.source.tokens), "target": _chips(target), "languages": languages, "texts": words}


def _examples() -> list[list[str]]:
    """Sentences to choose from, each with a note; first the one that was typed last, where a lesson or talk has replaced it."""
    own = session.get("_typed") or ""
    typed = [[own, texts("app.top_bar")["own"]]] if own.strip() and own != session.get("text") else []
    return typed + [[example["text"], example["note"]] for example in texts("app.frame")["example"]]


def _doubt(view: View) -> str:
    """Why the translation is likely bad, in a sentence; empty where nothing says so."""
    found = cached(doubt, view.explanation, view.checkpoint.source_tokenizer)
    return fill(texts("app.top_bar")["doubts"][found.reason], {"share": percent(found.share)}) if found else ""


def _chips(tokens: tuple[Token, ...]) -> list[tuple[str, int | None]]:
    return [(visible(token.text), token.word) for token in tokens]


def _hear(name: str, message: Any) -> None:
    """What a reader has typed or chosen, which may be any browser's: nothing of it is trusted."""
    if not isinstance(message, str):
        return
    text = message.encode("utf-8", "replace").decode("utf-8")  # half a character, which no browser types, could not be shown
    if name == "source":
        session.change(_typed=text)
        chosen.take(text)
    elif name == "target":
        chosen.give_target(text)
    elif message in chosen.offered():
        session.change(model=message)
