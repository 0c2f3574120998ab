"""The residual stream: the length of each token's vector after each sub-layer, and the arithmetic of one addition."""

from collections.abc import Sequence

import numpy as np

from pages.residual.controls import Block, pick_sublayer, require_block, stack_tokens
from viz_core.analysis.residual_stream import ResidualSum, StreamPlace, residual_sums, stream_norms, stream_places
from viz_core.app.arithmetic import arithmetic_section, show_arithmetic
from viz_core.app.controls import in_figure
from viz_core.app.csv_files import Lines
from viz_core.app.markup import Raw
from viz_core.app.page import Page
from viz_core.browser.pack import pack
from viz_core.checkpoint import Checkpoint
from viz_core.config import Stack
from viz_core.explain import Explanation
from viz_core.texts import texts, visible
from viz_core.trace import Floats, Trace

ARITHMETIC = {"pre": "arithmetic_stream_pre", "post": "arithmetic_stream_post"}
CODE = {"pre": "code_pre", "post": "code_post"}


def show_stream(p: Page, stack: Stack) -> None:
    """The lengths of the stream's vectors, and of what each sub-layer added."""
    with in_figure():
        block = pick_sublayer(p, stack)
    p.answer(residual_stream, stack=stack, block=block)
    _additions(p, stack, block)
    ex, tokens = p.view.explanation, stack_tokens(p, stack)[0]
    columns = "layer place position token length added_length"
    p.offer("lengths", f"{stack}-lengths", columns, lambda: _table(ex, stack, tokens), stack=p.text(stack).capitalize())
    p.show_code(CODE[p.view.config.norm])


def _additions(p: Page, stack: Stack, block: str) -> None:
    """The vector that one sub-layer of each layer adds to each token; the browser fills in the figure's numbers."""
    name = f"{stack}_{block}"
    show_arithmetic(
        p, {"text": p.texts[ARITHMETIC[p.view.config.norm]], **p.table("directions")}, figure="residual_stream",
        where={"sublayer": name}, sections=[arithmetic_section("text")], name=Raw(p.table("sublayers")[name]),
    )  # fmt: skip


def residual_stream(checkpoint: Checkpoint, explanation: Explanation, stack: Stack, block: Block) -> bytes:
    """Lengths of one stack's vectors at the P places of its stream, in computing order.

    Tensors: lengths (P, T), of each token's vector; added (P, T), of what the sub-layer added, NaN where nothing is added; largest
    (L, T, 5): the dimension, from 0, in which the picked sub-layer adds most; there x, what is added, and the sum; the cosine
    between both vectors, which is derived.

    About: stops, of each place its kind, its layer from 0, None at the ends of the stack, and its sub-layer; sublayer, the picked
    one; tokens.
    """
    require_block(stack, block)
    places, lengths, added = _lengths(explanation, stack)
    side = explanation.source if stack == "encoder" else explanation.target
    about = {
        "stack": stack,
        "stops": [{"kind": place.kind, "layer": place.layer, "block": place.block} for place in places],
        "sublayer": f"{stack}_{block}",
        "tokens": [visible(label) for label in side.labels],
    }
    with np.errstate(over="ignore"):  # edited models may overflow
        numbers = {"lengths": lengths, "added": added, "largest": _largest(explanation.trace, stack, block)}
        return pack({name: array.astype(np.float32) for name, array in numbers.items()}, about)


def _largest(trace: Trace, stack: Stack, block: str) -> Floats:
    """See `residual_stream`."""
    layers = [residual_sums(trace, stack, layer, block) for layer in range(trace.config.layers(stack))]
    return np.array([[_row(terms) for terms in tokens] for tokens in layers])


def _row(terms: ResidualSum) -> list[float]:
    dim = int(np.abs(terms.added).argmax())
    return [dim, terms.x[dim], terms.added[dim], terms.total[dim], terms.cosine]


def _table(explanation: Explanation, stack: Stack, tokens: Sequence[str]) -> Lines:
    """The length of each of these tokens' vectors at each place of the stream, and of what was added there."""
    places, *lengths = _lengths(explanation, stack)
    for place, own, added in zip(places, *lengths, strict=True):
        layer, name = None if place.layer is None else place.layer + 1, _name(stack, place)
        for i, token in enumerate(tokens):
            yield [layer, name, i + 1, token, own[i].item(), None if np.isnan(added[i]) else added[i].item()]


def _lengths(explanation: Explanation, stack: Stack) -> tuple[list[StreamPlace], Floats, Floats]:
    """The places of the stream, and at each the lengths of all vectors and of what was added to them, (P, T)."""
    places, trace = stream_places(explanation.trace.config, stack), explanation.trace
    return places, stream_norms(trace, [place.site for place in places]), stream_norms(trace, [place.added for place in places])


def _name(stack: Stack, place: StreamPlace) -> str:
    """Of a place of the stream, on the axis."""
    key = f"{stack}_{place.block}" if place.kind == "add" else "embedding_norm" if place.block == "embedding" else place.kind
    name: str = texts("residual.stops")["final_norm" if key == "norm" and place.layer is None else key]
    return name
