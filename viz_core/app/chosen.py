"""The choices for all pages, from the address: sentence, model, layer, head and step."""

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
"""The focused source token, from 1."""
SHOWN: Mapping[str, Kind] = {"self_attention": "self", "masked_attention": "masked"}
"""The attention by which a page picks the head with the clearest pattern to open on; cross attention for all other pages."""

STACKS: Mapping[str, Stack] = {"self_attention": "encoder", "masked_attention": "decoder", "cross_attention": "decoder"}
"""The stack of pages that show only one."""
Thing = TypeVar("Thing")


class WeakCached(Generic[Thing]):
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
    """Computes the view of the address; None while there is nothing to explain.

    Args:
        edits: of the model.
        page: the current page.
    """
    checkpoint = _model(page)
    text, target = _texts(checkpoint.source_language if checkpoint else DEFAULT_LANGUAGE)
    session.keep("model", checkpoint.name if checkpoint else DEFAULT_MODEL, DEFAULT_MODEL)
    session.change(_typed={"source": text, "target": target})
    checkpoint = snapshots.sync_from_url(checkpoint) if checkpoint else None
    sentence, explained = _sentence(checkpoint, text, target, edits) if checkpoint else (None, None)
    explanation = explained() if explained else None
    step = _number("step", len(explanation.steps) if explanation else None)
    layer, head = _opening(explanation, page) or (
        _number("layer", layers_of(page, checkpoint.config) if checkpoint else 1),
        _number("head", checkpoint.config.n_heads if checkpoint else 1),
    )
    token = _number("token", len(explanation.source) if explanation else None, _focus(page))
    if checkpoint is None or explained is None or sentence is None:
        return None
    for (name, param), value in zip(WALKED.items(), (step, layer, head, token), strict=True):
        session.keep(name, param.write(value), param.write(param.usual))
    return View(_weak_checkpoint(checkpoint), explained, step, layer, head, token, sentence)


def layers_of(page: str, config: ModelConfig) -> int:
    """The number of layers to choose from on a page: of its stack, or those that both stacks have."""
    return config.layers(STACKS[page]) if page in STACKS else config.common_layers


ANEW: Mapping[str, None] = dict.fromkeys(("target", "step", "token", "cell"))
"""Changes of the address for a new sentence, which the model itself translates."""


def offered() -> list[str]:
    """The names of the available models, the default first."""
    return sorted(models.names(), key=lambda name: name != DEFAULT_MODEL)


def model_name() -> str | None:
    """The model of this run, even without a sentence; None if there is no model."""
    return session.address().get("model", DEFAULT_MODEL) if models.usable()[0] else None


def source_language() -> str:
    """The source language of this run's model; English without a model."""
    with suppress(VizError):  # a removed checkpoint, which the next run reports
        if name := model_name():
            return models.get_checkpoint(name).source_language
    return DEFAULT_LANGUAGE


def typed() -> dict[str, str]:
    """Source and target as typed; the target is empty if the model writes it."""
    fields: dict[str, str] = session.get("_typed", {"source": "", "target": ""})
    return fields


def untouched() -> bool:
    """Whether the reader started at the overview without a link, and still has the default sentence."""
    return bool(session.shown().carried.get("opening")) and typed() == {"source": DEFAULT_TEXT, "target": ""}


def _texts(language: str) -> tuple[str, str]:
    """Source and target from the address; an example sentence follows the model into its language."""
    text, usual = session.parameter("text"), default_text(language)
    if session.belongs("text", language) is False and text and (same := in_language(text, language)) != text:
        session.redirect({name: value for name, value in session.link().items() if name not in ANEW} | {"text": same})
        page_options.forget_cell()
        text = same
    text, target = usual if text is None else text, session.parameter("target") or ""
    session.keep("text", text, usual)
    session.keep("target", target)
    return text, target


def _opening(explanation: Explanation | None, page: str) -> tuple[int, int] | None:
    """Layer and head with a clear pattern, on which a page opens if the reader started at the overview without a link.

    None once the reader has chosen a layer or head.
    """
    began = page == "overview" and session.is_link() and not session.link().keys() - {"lang"}
    chosen = f"{session.parameter('layer') or 1}-{session.parameter('head') or 1}"
    if explanation is None or not (began or session.carried("opening") == chosen):
        return None
    layer, head = clearest_head(explanation, SHOWN.get(page, "cross"))
    layer = min(layer, layers_of(page, explanation.trace.config) - 1)
    session.carry("opening", f"{layer + 1}-{head + 1}")
    return layer, head


def _focus(page: str) -> int:
    """The default focused token, from 1, if a link names none: the query of the cell that it locks in the encoder."""
    cell = from_link({"cell": session.parameter("cell") or ""})[0].cell
    return cell[0] + 1 if cell and page == "self_attention" else DEFAULT_TOKEN


def _model(page: str) -> Checkpoint | None:
    names, problems = models.shipped()
    for name, reason in problems:
        session.notify(Notice("checkpoint", {"name": name, "reason": reason}))
    if not names:
        return None
    wanted = session.parameter("model")
    models.welcome(wanted)
    names = offered()
    if wanted is not None and models.is_gone(wanted):
        session.notify(Notice("gone", {"name": wanted[:80], "shown": names[0]}))
        name = names[0]
    else:
        name = session.linked("model", names)
    try:
        return models.get_checkpoint(snapshots.lent(name, page))
    except VizError as error:
        if models.verify_now():
            return _model(page)
        session.notify(Notice("checkpoint", {"name": name, "reason": str(error)}))
        return None


def _weak_checkpoint(checkpoint: Checkpoint) -> WeakCached[Checkpoint]:
    return WeakCached(checkpoint, partial(models.get_checkpoint, checkpoint.name))


def _sentence(
    checkpoint: Checkpoint, text: str, target: str, edits: Edits
) -> tuple[Sentence | None, WeakCached[Explanation] | None]:  # fmt: skip
    if is_blank(text):
        if text.strip():
            session.notify(Notice("unseen", {}))
        return None, None
    try:
        target = snapshots.target(checkpoint, text, target)
        explanation = get_explanation(checkpoint, text, target, edits)
    except TextError as error:
        session.notify(Notice("text", {"reason": str(error)}))
        return None, None
    model = _weak_checkpoint(checkpoint)
    again = WeakCached(explanation, lambda: get_explanation(model(), text, target, edits))
    return Sentence(checkpoint.name, text, target, edits), again


def _number(name: str, total: int | None, default: int = 1) -> int:
    """The address's number in 1…total, counted from 0; out of range the nearest, with a notice. total is None while unknown."""
    text = session.parameter(name)
    number: float | None
    try:
        number = default if text is None else float(text[:40])
        round(number)
    except (ValueError, OverflowError):
        number = None
    value = min(max(round(number or default), 1), 10**6 if total is None else total)
    if number != value:
        session.notify_replaced(name, text or str(number), value, nearest=number is not None)
    return value - 1
