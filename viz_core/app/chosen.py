"""What is chosen for all pages: the sentence, the model, layer, head and step; all of it stands in the address."""

import weakref
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import Generic, TypeVar

from viz_core.analysis.attention import clearest_head
from viz_core.app import models, page_options, session, snapshots
from viz_core.app.answers import Sentence
from viz_core.app.cache import get_explanation
from viz_core.app.examples import default_text, in_language
from viz_core.app.view_options import View, from_link
from viz_core.checkpoint import Checkpoint
from viz_core.composed import is_blank
from viz_core.config import ModelConfig, Stack
from viz_core.edits import Edits
from viz_core.errors import TextError, VizError
from viz_core.explain import Explanation, Notice
from viz_core.params import WALKED
from viz_core.texts import DEFAULT_LANGUAGE
from viz_core.trace import Kind

DEFAULT_TEXT = "The cat is sleeping on the sofa."
DEFAULT_MODEL = "en-de"
DEFAULT_TOKEN = int(WALKED["token"].write(WALKED["token"].usual))
"""Of the source, from 1."""
SHOWN: Mapping[str, Kind] = {"self_attention": "self", "masked_attention": "masked"}
"""The attention for which a page opens on a telling head; every other page does for cross attention."""

STACKS: Mapping[str, Stack] = {"self_attention": "encoder", "masked_attention": "decoder", "cross_attention": "decoder"}
"""The stack of pages that show one alone."""
Thing = TypeVar("Thing")


class Recalled(Generic[Thing]):
    """A weak reference that recomputes its value once it has been collected.

    Many sessions stay open for long, each with a sentence of tens of megabytes.
    """

    def __init__(self, thing: Thing, again: Callable[[], Thing]) -> None:
        self._thing = weakref.ref(thing)
        self._again = again

    def __call__(self) -> Thing:
        thing = self._thing()
        if thing is None:
            thing = self._again()
            self._thing = weakref.ref(thing)
        return thing


def view(edits: Edits, page: str) -> View | None:
    """Computes what is asked for; None while there is nothing to explain.

    Args:
        edits: what is changed in the model.
        page: on which it is seen.
    """
    checkpoint = _model()
    text = default_text(checkpoint.source_language) if checkpoint else DEFAULT_TEXT
    _from_link("text", text)
    _from_link("target", "")
    checkpoint = snapshots.sync_from_url(checkpoint) if checkpoint else None
    sentence, explained = _sentence(checkpoint, edits) if checkpoint else (None, None)
    explanation = explained() if explained else None
    opening = _opening(explanation, page)
    step = _number("step", len(explanation.steps) if explanation else None)
    layer = _number("layer", layers_of(page, checkpoint.config) if checkpoint else 1, opening.get("layer", 1))
    head = _number("head", checkpoint.config.n_heads if checkpoint else 1, opening.get("head", 1))
    token = _number("token", len(explanation.source) if explanation else None, _focus(page))
    for name, default in (("text", text), ("target", ""), ("model", DEFAULT_MODEL)):
        session.keep(name, session.get(name) or "", default)
    if checkpoint is None or explained is None or sentence is None:
        return None
    for (name, param), value in zip(WALKED.items(), (step, layer, head, token), strict=True):
        session.keep(name, param.write(value), param.write(param.usual))
    return View(_recalled(checkpoint), explained, step, layer, head, token, sentence)


def layers_of(page: str, config: ModelConfig) -> int:
    """How many layers can be chosen on a page: those of the stack that it shows, or those that both stacks have."""
    return config.layers(STACKS[page]) if page in STACKS else config.common_layers


def take(text: str) -> None:
    """Another sentence, which the model translates by itself; for callbacks."""
    session.change(text=text, token=DEFAULT_TOKEN)
    give_target("")


def take_model(name: str) -> None:
    """Another model; one of our examples stays in its language. For callbacks."""
    session.change(model=name)
    text = session.get("text") or ""
    same = in_language(text, source_language())
    if same != text:
        take(same)


def source_language() -> str:
    """Which the chosen model reads; English while there is no such model."""
    name = session.get("model")
    with suppress(VizError):  # a checkpoint that has gone, which the next run says
        return models.get_checkpoint(name).source_language if name else DEFAULT_LANGUAGE
    return DEFAULT_LANGUAGE


def give_target(text: str) -> None:
    """A translation of the reader's own, or none where it is empty; for callbacks."""
    session.change(target=text, step=1)
    page_options.forget_cells()


def untouched() -> bool:
    """Whether one began at the overview without a link, and the sentence is still the one that stands there for everybody."""
    return bool(session.get("_without_link")) and session.get("text") == DEFAULT_TEXT and not session.get("target")


def offered() -> list[str]:
    """The names of the models that can be chosen, the default first."""
    return sorted(models.names(), key=lambda name: name != DEFAULT_MODEL)


def _opening(explanation: Explanation | None, page: str) -> dict[str, int]:
    """Layer and head, from 1, on which a page opens where one began at the overview without a link: they show a clear pattern.

    Nothing once the reader has chosen another one: that choice stays.
    """
    if session.arrived():
        session.change(_without_link=page == "overview" and not session.link().keys() - {"lang"}, _opened_on={}, _head_chosen=False)
    if any(session.get(name) != number for name, number in session.get("_opened_on", {}).items()):
        session.change(_head_chosen=True)
    if explanation is None or not session.get("_without_link") or session.get("_head_chosen"):
        return {}
    layer, head = clearest_head(explanation, SHOWN.get(page, "cross"))
    layer = min(layer, layers_of(page, explanation.trace.config) - 1)
    opened = {"layer": layer + 1, "head": head + 1}
    session.change(_opened_on=opened, **opened)
    return opened


def _focus(page: str) -> int:
    """The token, from 1, that one looks at where a link names none: the query of the cell that it locks in the encoder."""
    cell = from_link({"cell": session.asked("cell") or ""})[0].cell if session.arrived() else None
    return cell[0] + 1 if cell and page == "self_attention" else DEFAULT_TOKEN


def _from_link(name: str, default: str) -> None:
    if session.arrived():
        session.change(**{name: session.link().get(name, default)})


def _model() -> Checkpoint | None:
    names, problems = models.shipped()
    for name, reason in problems:
        session.say(Notice("checkpoint", {"name": name, "reason": reason}))
    if not names:
        return None
    asked = session.asked("model")
    models.welcome(asked)
    names = offered()
    if gone := next((name for name in (asked, session.get("model")) if models.is_gone(name)), None):
        session.say(Notice("gone", {"name": (gone or "")[:80], "shown": names[0]}))
        session.change(model=asked if asked in names else names[0])
    elif session.arrived():
        session.change(model=session.linked("model", names))
    elif session.get("model") not in names:
        session.change(model=names[0])
    try:
        snapshots.lend()
        return models.get_checkpoint(session.get("model"))
    except VizError as error:
        if models.verify_now():
            return _model()
        session.say(Notice("checkpoint", {"name": session.get("model"), "reason": str(error)}))
        return None


def _recalled(checkpoint: Checkpoint) -> Recalled[Checkpoint]:
    return Recalled(checkpoint, partial(models.get_checkpoint, checkpoint.name))


def _sentence(checkpoint: Checkpoint, edits: Edits) -> tuple[Sentence | None, Recalled[Explanation] | None]:
    text, target = session.get("text") or "", session.get("target") or ""
    if is_blank(text):
        if text.strip():
            session.say(Notice("unseen", {}))
        return None, None
    try:
        target = snapshots.target(checkpoint, text, target)
        explanation = get_explanation(checkpoint, text, target, edits)
    except TextError as error:
        session.say(Notice("text", {"reason": str(error)}))
        return None, None
    model = _recalled(checkpoint)
    again = Recalled(explanation, lambda: get_explanation(model(), text, target, edits))
    return Sentence(checkpoint.name, text, target, edits), again


def _number(name: str, total: int | None, default: int = 1) -> int:
    """One of 1…total, counted from 0: the link's, or the nearest there is and a notice. total is None while unknown."""
    asked = session.asked(name)
    number: float | None = session.get(name) or default
    if session.arrived():
        try:
            number = default if asked is None else float(asked[:40])
            round(number)
        except (ValueError, OverflowError):
            number = None
    value = min(max(round(number or default), 1), 10**6 if total is None else total)
    if number != value:
        session.say_instead(name, asked or str(number), value, nearest=number is not None)
    session.change(**{name: value})
    return value - 1
