"""The exercise on the card of a talk's view, as the browser checks it: question, key, and replies to wrong answers."""

import math
from collections.abc import Callable, Mapping
from typing import Any

from viz_core.analysis.attention import pattern_shares
from viz_core.analysis.exercises import COMPUTED, Computed, answer, lost_token, wins
from viz_core.analysis.search import BeamOptions, search
from viz_core.app import edited
from viz_core.app.cache import cached, get_explanation
from viz_core.app.markup import number
from viz_core.app.view_options import View
from viz_core.config import ModelConfig
from viz_core.figures.base import percent
from viz_core.texts import enumerated, fill, texts, visible
from viz_core.wording import worded

ASSUMES: Mapping[str, Callable[[ModelConfig], bool]] = {
    "scaled_embedding": lambda config: config.scaled_embeddings,
    "position": lambda config: config.positions == "interleaved",
    "relu": lambda config: config.activation == "relu",
}
"""Exercise → its condition on the model, which some imported models do not meet."""
CLEAR = 0.5
"""Mean share of attention to the previous token that makes a head count as found; less if no head of the model reaches it."""


def exercise(name: str, view: View) -> dict[str, Any]:
    """One exercise for the browser.

    Returns:
        kind: `computed`, `head`, `state` or `predicted`; asks: the question; at: the place it is about, if any. Also, for a
        computed one, value, tolerance, share, counted, slips: [value, reply], working: lines; for a head, shares, (layers,
        heads), least and says; for a state, solved and says.
    """
    return NAMES[name](name, view)


def _computed(name: str, view: View) -> dict[str, Any]:
    words = worded("app.exercises", view.config, view.checkpoint.tokenizer)[name]
    key = cached(answer, name, view.checkpoint, view.explanation, view.step, view.layer, view.head)
    if name in ASSUMES and not ASSUMES[name](view.config):
        return {"kind": "state", "asks": texts("app.exercises")["other_model"], "solved": False, "says": ""}
    values = {quoted: _written(value) for quoted, value in {**key.given, "value": _value(key)}.items()}
    values["special"] = enumerated(visible(token.label) for token in view.explanation.source.tokens if token.word is None)
    known = math.isfinite(key.value)
    return {
        "kind": "computed",
        "asks": fill(words["asks"], values) if known else texts("app.exercises")["unknown"],
        "value": key.value if known else None,
        "tolerance": key.tolerance if known else 0,
        "share": key.share,
        "counted": key.counted,
        "slips": [[slip, fill(words["slips"][mistake], values)] for mistake, slip in key.slips.items() if math.isfinite(slip)],
        "working": [fill(line, values) for line in words["working"]],
        "at": {"step": view.step, "layer": view.layer, "head": view.head},
    }


def _value(key: Computed) -> str:
    """The answer as the browser shows it after a correct reply."""
    if key.counted or key.value == 0:
        return f"{key.value:,.0f}"
    return percent(key.value) if key.share else number(key.value).replace("-", "−")


def _written(value: str | float) -> str:
    if isinstance(value, str):
        return visible(value)
    if isinstance(value, int):
        return f"{value:,}"
    # with enough digits that a result computed from them has the digits of the answer
    return (f"{value:.6g}" if value == 0 or 1e-4 <= abs(value) < 1e6 else number(value)).replace("-", "−")


def _head(name: str, view: View) -> dict[str, Any]:
    words = texts("app.exercises")[name]
    shares = cached(pattern_shares, view.explanation, "self")
    least = min(CLEAR, float(shares.max()))
    return {
        "kind": "head",
        "asks": fill(words["asks"], {"least": percent(least)}),
        "shares": [[float(share) if math.isfinite(share) else 0.0 for share in layer] for layer in shares],
        "least": least,
        "says": words["says"],
    }


def _beam(name: str, view: View) -> dict[str, Any]:
    words = texts("app.exercises")[name]
    beam = cached(search, view.checkpoint, view.explanation, BeamOptions())  # the defaults of the beam search's page
    if not beam.known:
        return {"kind": "state", "asks": words["asks"], "solved": False, "says": texts("app.exercises")["unknown"]}
    says = "solved" if wins(beam) else "same" if beam.best.ids == beam.greedy.ids else "worse"
    tokenizer, language = view.checkpoint.tokenizer, view.checkpoint.target_language
    best, greedy = (visible(tokenizer.read(output.ids, language).text) for output in (beam.best, beam.greedy))
    scores = {"score": _written(beam.best.score), "greedy_score": _written(beam.greedy.score)}
    reply = fill(words[says], {"best": best, "greedy": greedy, **scores})
    return {"kind": "state", "asks": words["asks"], "solved": wins(beam), "says": reply}


def _edit(name: str, view: View) -> dict[str, Any]:
    words, edits = texts("app.exercises")[name], edited.draft()
    trained = get_explanation(view.checkpoint, view.explanation.source.text)
    step = min(view.step, len(trained.output) - 1)
    values = {"token": visible(trained.output[step].label), "step": step + 1}
    question = {"kind": "state", "asks": fill(words["asks"], values), "at": {"step": view.step}}
    if not edits:
        return question | {"solved": False, "says": fill(words["none"], values)}
    changed = get_explanation(view.checkpoint, view.explanation.source.text, "", edits)
    typed = bool(edits.force or edits.swap)
    solved = not typed and lost_token(trained, changed, step)
    reply = words["typed" if typed else "solved" if solved else "kept"]
    return question | {"solved": solved, "says": fill(reply, {**values, "text": visible(changed.text)})}


def _predicted(name: str, view: View) -> dict[str, Any]:
    return {"kind": "predicted", "asks": texts("app.exercises")["predicted"]}


NAMES: Mapping[str, Callable[[str, View], dict[str, Any]]] = {
    **dict.fromkeys(COMPUTED, _computed),
    "previous_token_head": _head,
    "beam_beats_greedy": _beam,
    "losing_edit": _edit,
    "predicted": _predicted,
}
"""All exercises that a view of a talk may name."""
