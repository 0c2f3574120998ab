"""What the notes of our talks claim, measured again on the checkpoint that the view shows.

A claim stands in its view as `claim = [{ … }, …]`. It speaks of the view's own sentence, layer, head and step, unless it names
others (`text`, `target`, `page`, `layer`, `head`, `step`; `head = 0` is the mean over the heads), and counts from 1:

    { query = 6, key = 5, read = "bicycle → new", about = 0.96 }  the weight of one cell, and which tokens these are
    { query = 6, key = 5, read = "…", strongest = "yes" }         the cell is the strongest of its row
    { query = 6, key = 5, heads = 3 }                             it is so in so many heads of this attention, all layers
    { back = 1, about = 0.5 }                                     mean weight so many places back, without full stop and ⟨/s⟩
    { step = 8, token = "gekauft", about = 0.97 }                 the probability of a token at a step
    { says = "Ich liebe dich." } { tokens = 9 } { steps = 10 }    the translation, the source's tokens, the decoder's steps
    { scaled_query = 6, scaled_key = 5, number = 7.4 }            a score after the division by √d_k
    { score_query = 6, score_key = 5, number = 41.7 }             and before it
    { site = "encoder.memory", row = 3, number = 11.9 }           the length of a vector of the trace
    { active = "encoder.0.ffn.hidden", row = 3, number = 52 }     how many of its numbers are greater than 0
    { of = "brother", near = "Bruder", rank = 1 }                 the neighbours of a token in the embedding matrix
    { id = "bicycle", number = 3132 }                             the number of a token of the source
    { merges = "bicycle", number = 7 }                            in how many merges a word becomes its tokens
    { shape = "d_model", number = 256 }                           a number of the model's shape

and those of `lab_claims.py`. A claim speaks of the edited model where the view's page shows nothing else, or with `edited = "yes"`;
of the model as trained with `edited = "no"`.

`about` is met within 0.003, and reads as the app prints it; `least` and `most` as they say.
"""

import functools
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from tests.app.talks.lab_claims import NUMBERS, lab_number, lens_probability
from viz_core.analysis.embeddings import nearest, vocabulary
from viz_core.app.talks import TalkView
from viz_core.app.view_options import from_link
from viz_core.checkpoint import Checkpoint, load
from viz_core.edits import Edits
from viz_core.explain import Explanation, explain
from viz_core.figures.base import percent
from viz_core.trace import Array, Kind
from viz_core.training import snapshots

KINDS: Mapping[str, Kind] = {"self_attention": "self", "masked_attention": "masked", "cross_attention": "cross"}
CHECKPOINTS = Path(__file__).parents[3] / "checkpoints"
NEAR = 0.003  # what rounding to three places and another machine's arithmetic may add


def broken(checkpoint: Checkpoint, view: TalkView) -> list[str]:
    """The claims of a view that its checkpoint, this one unless it names another, does not keep, each with what was measured."""
    checkpoint = shown_by(checkpoint, view)
    return [said for claim in view.claims if (said := _broken(checkpoint, view, claim))]


def outside(checkpoint: Checkpoint, view: TalkView) -> list[str]:
    """What the view's link asks for and no page can show: the app would show the nearest, which is not what the note speaks of."""
    checkpoint = shown_by(checkpoint, view)
    ex = _explained(checkpoint, view.parameters["text"], view.parameters.get("target", ""))
    limits = {"step": len(ex.steps), "layer": checkpoint.config.n_layers, "head": checkpoint.config.n_heads}
    found = [name for name, most in limits.items() if int(view.parameters.get(name, 1)) > most]
    found += from_link(view.parameters)[1] if view.page in (*KINDS, "overview") else []
    if view.page in KINDS and "cell" in view.parameters:
        query, key = (int(part) for part in view.parameters["cell"].split("-"))
        rows, columns = ex.trace.attention(KINDS[view.page], 0).mask.shape
        found += ["cell"] if query > rows or key > columns else []
    return found


def shown_by(checkpoint: Checkpoint, view: TalkView) -> Checkpoint:
    """The checkpoint that a view shows: this one, unless it names another or a snapshot."""
    named = view.parameters.get("model", checkpoint.name)
    return _loaded(f"{named}{snapshots.AT}{step}" if (step := view.parameters.get("snapshot")) else named)


def explained(checkpoint: Checkpoint, view: TalkView) -> Explanation:
    """A view's sentence, as the model that it shows translates it."""
    return _explained(shown_by(checkpoint, view), view.parameters["text"], view.parameters.get("target", ""))


def percentages(view: TalkView) -> set[str]:
    """The percentages that the view's claims stand for: what is measured as the app prints it, bounds without decimals."""
    measured = {percent(float(claim["about"])) for claim in view.claims if "about" in claim}
    bounds = {f"{float(claim[bound]) * 100:.0f} %" for claim in view.claims for bound in ("least", "most") if bound in claim}
    return measured | bounds


def on_the_wall(view: TalkView) -> TalkView:
    """The view with those claims alone of which its page shows the number: no attention map shows how probable a token is."""

    def is_there(claim: Mapping[str, Any]) -> bool:
        of_step = int(claim.get("step", 0)) == int(view.parameters.get("step", 1)) and view.page not in KINDS
        return "token" not in claim or "lens" in claim or view.page == "training" or of_step

    return replace(view, claims=tuple(filter(is_there, view.claims)))


@functools.lru_cache(maxsize=8)
def _loaded(name: str) -> Checkpoint:
    base, step = snapshots.split_name(name)
    trained = load(CHECKPOINTS / base)
    return trained if step is None else snapshots.load_at(CHECKPOINTS / base, trained, step)


@functools.lru_cache(maxsize=64)
def _explained(checkpoint: Checkpoint, text: str, target: str, edits: str = "") -> Explanation:
    base, step = snapshots.split_name(checkpoint.name)
    given = target if step is None else target or explain(_loaded(base), text).text
    changed, wrong = Edits.from_link(edits)
    assert not wrong, wrong
    return explain(checkpoint, text, given, changed)


def _edits(at: Mapping[str, Any]) -> str:
    """The edits of the model that a claim speaks of."""
    beside = at["page"] == "what_if" or at.get("pair") == "edits"
    return str(at.get("edits", "")) if at.get("edited", "no" if beside else "yes") == "yes" else ""


def _broken(checkpoint: Checkpoint, view: TalkView, claim: Mapping[str, Any]) -> str:
    at: dict[str, Any] = {**view.parameters, "page": view.page, **claim}
    ex = _explained(checkpoint, str(at["text"]), str(at.get("target", "")), _edits(at))
    if "says" in claim:
        return "" if ex.text == claim["says"] else f"{claim}: it says «{ex.text}»"
    for name, tokens in (("tokens", ex.source), ("steps", ex.target)):
        if name in claim:
            return "" if len(tokens) == claim[name] else f"{claim}: {len(tokens)}"
    if "rank" in claim and "lens" in claim:
        rank = lens_probability(checkpoint, ex, at)[1]
        return "" if rank == claim["rank"] else f"{claim}: rank {rank}"
    if "near" in claim:
        return _near(checkpoint, ex, claim)
    if "strongest" in claim:
        row = _weights(ex, at)[claim["query"] - 1]
        good = int(row.argmax()) == claim["key"] - 1 and _names(ex, at, claim) == claim["read"]
        return "" if good else f"{claim}: {_names(ex, at, {**claim, 'key': int(row.argmax()) + 1})}"
    if "number" in claim:
        value = _number(checkpoint, ex, at)
        digits = len(str(claim["number"]).partition(".")[2])
        return "" if abs(value - claim["number"]) <= 0.51 * 10**-digits else f"{claim}: {value:.4f}"
    if "heads" in claim:
        kind = KINDS[at["page"]]
        rows = [ex.trace.attention(kind, layer).weights[:, claim["query"] - 1] for layer in range(checkpoint.config.n_layers)]
        count = int((np.concatenate(rows).argmax(-1) == claim["key"] - 1).sum())
        return "" if count == claim["heads"] else f"{claim}: {count} heads"
    return _share(checkpoint, ex, at, claim)


def _share(checkpoint: Checkpoint, ex: Explanation, at: Mapping[str, Any], claim: Mapping[str, Any]) -> str:
    if "lens" in claim:
        value = lens_probability(checkpoint, ex, at)[0]
    elif "token" in claim:
        step = ex.steps[int(at["step"]) - 1]
        ids = np.argsort(-step.log_probs)[:50]
        found = [step.probability(int(i)) for (text, _), i in zip(step.top(50), ids, strict=True) if text == claim["token"]]
        value = max(found, default=0.0)
    elif "back" in claim:
        weights, back = _weights(ex, at), claim["back"]
        last = len(weights) - 2  # the full stop and ⟨/s⟩ are left out
        value = float(np.mean([weights[i, i - back] for i in range(max(back, 0), last - max(-back, 0))]))
    else:
        value = float(_weights(ex, at)[claim["query"] - 1, claim["key"] - 1])
        if claim["read"] != (read := _names(ex, at, claim)):
            return f"{claim}: this is «{read}»"
    about = claim.get("about", value)
    kept = (
        abs(value - about) <= NEAR and percent(value) == percent(about)
        and claim.get("least", 0.0) <= value <= claim.get("most", 1.0) and {"about", "least", "most"} & set(claim)
    )  # fmt: skip
    return "" if kept else f"{claim}: {value:.4f}"


def _weights(ex: Explanation, at: Mapping[str, Any]) -> Array:
    weights = ex.trace.attention(KINDS[at["page"]], int(at["layer"]) - 1).weights
    mean: Array = weights.mean(0)
    return weights[int(at["head"]) - 1] if int(at["head"]) else mean


def _names(ex: Explanation, at: Mapping[str, Any], claim: Mapping[str, Any]) -> str:
    """Query → key. In cross attention the query is named by the token that its step writes."""
    queries, keys = {
        "self": (ex.source.labels, ex.source.labels),
        "masked": (ex.target.labels, ex.target.labels),
        "cross": ([token.label for token in ex.output], ex.source.labels),
    }[KINDS[at["page"]]]
    return f"{queries[claim['query'] - 1]} → {keys[claim['key'] - 1]}"


def _number(checkpoint: Checkpoint, ex: Explanation, at: Mapping[str, Any]) -> float:
    if any(name in at for name in NUMBERS):
        return lab_number(checkpoint, ex, at)
    for name, part in (("scaled", "scaled"), ("score", "scores")):
        if f"{name}_query" in at:
            attention = ex.trace.attention(KINDS[at["page"]], int(at["layer"]) - 1)
            return float(getattr(attention, part)[int(at["head"]) - 1, at[f"{name}_query"] - 1, at[f"{name}_key"] - 1])
    if "site" in at:
        return float(np.linalg.norm(ex.trace.array(at["site"])[at["row"] - 1].astype(np.float64)))
    if "id" in at:
        return float(next(token.id for token in ex.source.tokens if token.label == at["id"]))
    if "merges" in at:
        return float(len(checkpoint.tokenizer.merges(at["merges"], True)))
    if "active" in at:
        return float((ex.trace.array(at["active"])[at["row"] - 1] > 0).sum())
    return float(getattr(checkpoint.config, at["shape"]))


def _near(checkpoint: Checkpoint, ex: Explanation, claim: Mapping[str, Any]) -> str:
    space = vocabulary(checkpoint.model.source_embedding, checkpoint.tokenizer)
    token = next(token for token in ex.source.tokens if token.label == claim["of"])
    found = [space.labels[i] for i, _ in nearest(space, token.id, 10)]
    return "" if found.index(claim["near"]) + 1 == claim["rank"] else f"{claim}: {found}"


def revealed(view: TalkView) -> set[str]:
    """The percentages that the note says of what the view hides: of the right side, or of the figure."""
    of_right = tuple(claim for claim in view.claims if claim.get("edited") == "yes" and "text" not in claim)
    of_left = percentages(replace(view, claims=tuple(claim for claim in view.claims if claim.get("edited") != "yes")))
    return percentages(replace(view, claims=of_right)) - of_left if view.hide == "right" else percentages(view)
