"""The three views of the residual page: the stream's length, LayerNorm, the feed-forward's hidden units."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from pages.residual.ffn_figure import column_width, hidden_map, unit_bars

from pages.residual.compute import Hidden, feed_forward, promoted
from pages.residual.controls import DIM, STACK, SUBLAYERS, TOKEN, UNIT
from pages.residual.stream_figures import Stop, norm_strips, stream_lengths
from viz_core.analysis.next_token import vocabulary_label
from viz_core.analysis.residual_stream import StreamPlace, layer_norm, residual_sum, stream_norms, stream_places
from viz_core.app.markup import Raw, number
from viz_core.app.page import Page
from viz_core.figures.base import percent
from viz_core.trace import Stack

UNITS = 6  # of one token are listed


def choose_stack(p: Page) -> Stack:
    """Encoder or decoder."""
    return "decoder" if STACK.draw(p) == "decoder" else "encoder"


def stream_view(p: Page, stack: Stack, row: Any) -> None:
    """How long the stream's vectors are after each add, and what each sub-layer brought."""
    view = p.view
    with row:
        block = _sublayer(p, stack)
        labels, token = _token(p, stack)
    route = stream_places(view.config, stack)
    stop = next(i for i, place in enumerate(route) if place.kind == "add" and (place.layer, place.block) == (view.layer, block))
    figure = stream_lengths(
        stream_norms(view.trace, [place.site for place in route])[:, : len(labels)],
        stream_norms(view.trace, [place.added for place in route])[:, : len(labels)],
        [Stop(_name(p, stack, place), place.layer) for place in route],
        labels,
        token=token,
        stop=stop,
        axes=(p.text("length_axis"), p.text("added_axis")),
        layer_name=p.text("layer"),
        palette=p.palette,
    )
    p.write("lead_stream", token=labels[token])
    p.show(figure, "stream", clicks="layer")
    one = residual_sum(view.trace, stack, view.layer, block, token)
    dim = int(np.abs(one.added).argmax())
    vectors = {"before": one.x, "added": one.added, "after": one.total}
    sizes = {name: float(np.linalg.norm(vector.astype(np.float64))) for name, vector in vectors.items()}
    numbers = {"x": float(one.x[dim]), "brings": float(one.added[dim]), "total": float(one.total[dim]), "cosine": one.cosine}
    direction = p.text("along" if one.cosine > 0.5 else "against" if one.cosine < -0.25 else "across")
    p.arithmetic(
        f"arithmetic_stream_{view.config.norm}",
        token=labels[token],
        layer=view.layer + 1,
        name=p.text(f"long_{stack}_{block}"),
        dim=dim + 1,
        direction=direction,
        **sizes,
        **numbers,
    )
    p.light(f"code_{view.config.norm}")


def norm_view(p: Page, stack: Stack, row: Any) -> None:
    """One token's numbers before, in and after one LayerNorm."""
    view = p.view
    with row:
        block = _sublayer(p, stack)
        labels, token = _token(p, stack)
        one = layer_norm(view.checkpoint.model, view.trace, stack, view.layer, block, token)
        largest = int(np.abs(one.standard).argmax())
        of = (view.explanation.source.text, stack, view.layer, block, token)
        dim = DIM.draw(p, 1, len(one.x), largest + 1, of) - 1
    reach = _reach(one.standard, one.out)
    shown: list[tuple[Any, str, str, float]] = [
        (one.x, "before", "before_axis", _reach(one.x)),
        (one.standard, "standard", "standard_axis", reach),
        (one.out, "after", "after_axis", reach),
    ]
    rows = [(v, p.text(name, mean=_short(float(v.mean())), deviation=_short(float(v.std()))), end) for v, name, _, end in shown]
    p.write(f"lead_norm_{view.config.norm}", token=labels[token], name=p.text(f"long_{stack}_{block}"), layer=view.layer + 1)
    p.show(
        norm_strips(rows, names=[p.text(each[2]) for each in shown], axis=p.text("dims"), dim=dim, palette=p.palette),
        "norm",
        clicks="dim",
    )
    p.arithmetic(
        "arithmetic_norm",
        token=labels[token],
        dim=dim + 1,
        size=len(one.x),
        mean=one.mean,
        variance=one.variance,
        deviation=one.variance**0.5,
        x=float(one.x[dim]),
        gamma=float(one.gamma[dim]),
        beta=float(one.beta[dim]),
        standard=float(one.standard[dim]),
        out=float(one.out[dim]),
        eps=one.eps,
    )
    p.light("code_norm")


def feed_forward_view(p: Page, stack: Stack, row: Any) -> None:
    """Which hidden units fire for each token, and what the strongest of one token bring."""
    view = p.view
    found = feed_forward(view.checkpoint.model, view.trace, stack, view.layer)
    with row:
        labels, token = _token(p, stack)
        units = found.strongest(token, UNITS)
        picked = UNIT.draw(p, [p.text("unit_number", number=unit + 1) for unit in units]) if units else None
    width = column_width(found.hidden.shape[1])
    silent, limit = found.silent(), max(float(found.hidden.max()), 1e-9)
    p.write("lead_ffn", token=labels[token], share=percent(float(silent[token])), units=found.hidden.shape[1])
    figure = hidden_map(
        found.hidden[: len(labels)],
        silent[: len(labels)],
        labels,
        token=token,
        limit=limit,
        title=p.text("hidden_title" if width == 1 else "hidden_title_pooled", layer=view.layer + 1, width=width),
        axes=(p.text(f"tokens_{stack}"), p.text("hidden_axis")),
        silent_name=p.text("silent"),
        palette=p.palette,
    )
    p.show(figure, "hidden", clicks="token")
    if picked is not None:
        _units(p, stack, found, labels, token, units, picked, limit)
    p.light("code_ffn")


def _units(
    p: Page, stack: Stack, found: Hidden, labels: Sequence[str], token: int, units: list[int], picked: int, limit: float
) -> None:
    """The strongest units of one token, and the arithmetic of the picked one."""
    view, unit = p.view, units[picked]
    brought = [found.adds(token, each) for each in units]
    words = [""] * len(units)
    if stack == "decoder":
        best = [promoted(view.checkpoint.model, vector) for vector in brought]
        words = [", ".join(f"«{vocabulary_label(view.checkpoint.tokenizer, i)}»" for i in ids) for ids in best]
    figure = unit_bars(
        units,
        found.hidden[token, units],
        np.array([np.linalg.norm(vector) for vector in brought]),
        words,
        title=p.text("units_title", token=labels[token]),
        names=(p.text("unit_name"), p.text("strength"), p.text("adds_words" if stack == "decoder" else "adds")),
        unit=picked,
        limit=limit,
        palette=p.palette,
    )
    p.show(figure, "units", clicks="unit")
    own = found.hidden[token]
    p.arithmetic(
        "arithmetic_ffn",
        token=labels[token],
        unit=unit + 1,
        product=found.product(token, unit),
        bias=float(found.b_1[unit]),
        hidden=float(own[unit]),
        size=len(own),
        firing=int((own > 0).sum()),
        added=float(np.linalg.norm(brought[picked])),
        total=float(np.linalg.norm(found.out[token].astype(np.float64))),
        note=Raw(p.text("note_decoder") if stack == "decoder" else ""),
    )


def _sublayer(p: Page, stack: Stack) -> str:
    return SUBLAYERS[stack].draw(p).removeprefix(f"{stack}_")


def _token(p: Page, stack: Stack) -> tuple[list[str], int]:
    """The tokens that there are, all of the source or of the target so far, and the picked one: in the decoder the newest."""
    labels = p.view.source if stack == "encoder" else p.view.target[: p.view.step + 1]
    default = min(1, len(labels) - 1) if stack == "encoder" else p.view.step
    return labels, TOKEN.draw(p, labels, default)


def _name(p: Page, stack: Stack, place: StreamPlace) -> str:
    """What a place is called on the axis."""
    if place.kind == "add":
        return p.text(f"stop_{stack}_{place.block}")
    return p.text("stop_input" if place.kind == "input" else "stop_norm" if place.layer is not None else "stop_end")


def _reach(*vectors: Any) -> float:
    """The end of an axis: the next power of two, so that vectors of about one size can be compared from step to step."""
    return float(2.0 ** np.ceil(np.log2(max(1.0, *(1.1 * float(np.abs(vector).max()) for vector in vectors)))))


def _short(value: float) -> str:
    text = number(value)
    return "0" if "cdot" in text or abs(value) < 0.0005 else text.replace("-", "−")
