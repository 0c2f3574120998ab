"""The top bar: the sentence, typed in place, with its output; layer, head and model. Drawn in the browser."""

from contextlib import suppress
from dataclasses import asdict
from typing import Any

from viz_core.analysis.confidence import doubt, fits
from viz_core.app import chosen, models, session
from viz_core.app.cache import cached
from viz_core.app.components import connect
from viz_core.app.examples import examples
from viz_core.app.view_options import View
from viz_core.browser.attention_payload import byte_notes
from viz_core.composed import is_blank
from viz_core.errors import VizError
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
        **_doubt(view),
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
    if codes := view.checkpoint.source_tokenizer.target_codes:
        words["model"] = fill(words["model_into"], {"codes": ", ".join(codes)})
    languages = [view.checkpoint.source_language, view.checkpoint.target_language]
    source = _chips(explanation.source.tokens, explanation.source.text)
    return {"source": source, "target": _chips(target, explanation.text), "languages": languages, "texts": words}


def _examples() -> list[list[str]]:
    """Sentences to choose from, each with a note; first the one that was typed last, where a lesson or talk has replaced it."""
    own = session.get("_typed") or ""
    typed = [[own, texts("app.top_bar")["own"]]] if not is_blank(own) and own != session.get("text") else []
    return typed + examples(chosen.source_language())


def _doubt(view: View | None) -> dict[str, Any]:
    """doubt: why the translation is likely bad, in a sentence, empty where nothing says so; fits: [model, words of its button] of a
    model for this text, or nothing.
    """
    if view is None:
        return {"doubt": "", "fits": None}
    language = view.checkpoint.source_language
    found = cached(doubt, view.explanation, view.checkpoint.source_tokenizer, language)
    if found is None:
        return {"doubt": "", "fits": None}
    words = texts("app.top_bar")
    values = {"share": percent(found.share), "language": words["from"].get(language, language)}
    fitting = _fitting(view) if found.reason != "improbable" else None
    button = [fitting, fill(words["switch"], {"model": fitting})] if fitting else None
    return {"doubt": fill(words["doubts"][found.reason], values), "fits": button}


def _fitting(view: View) -> str | None:
    """The first model that reads another language, and can read this text."""
    text = view.explanation.source.text
    for name in chosen.offered():
        with suppress(VizError):  # one that has gone meanwhile
            other = models.get_checkpoint(name)
            if other.source_language != view.checkpoint.source_language and fits(text, other):
                return name
    return None


def _chips(tokens: tuple[Token, ...], text: str) -> list[tuple[str, int | None, str]]:
    """Of each token its text, its word, and what there is to say of it."""
    notes = byte_notes(tokens, text)
    return [(visible(token.text), token.word, note) for token, note in zip(tokens, notes, strict=True)]


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
        chosen.take_model(message)
