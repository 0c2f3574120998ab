"""Attention stage by stage, on every page that has one: scores, ÷√d_k, mask, softmax, weighted sum of the values."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from viz_core.analysis.attention import cell, unscaled_weights
from viz_core.app.csv_files import Lines, cells
from viz_core.app.data_views import attention_view
from viz_core.app.markup import Raw, number
from viz_core.app.page import Page
from viz_core.browser.pack import pack
from viz_core.explain import Explanation
from viz_core.figures.attention import Floats
from viz_core.texts import fill, texts
from viz_core.trace import Attention, Kind

KINDS: tuple[Kind, ...] = ("cross", "masked", "self")
"""The order of the options if all three can be chosen: the most used one first."""


def place(p: Page) -> dict[str, Any]:
    """Layer and head, counted from 1, and d_k."""
    return {"layer": p.view.layer + 1, "head": p.view.head + 1, "d_k": p.view.config.d_k}


def show_attention(p: Page, kind: Kind) -> None:
    """The attention view, with one attention."""
    p.answer(attention_view, key=f"{p.name}_attention_view", kind=kind)


def labels(explanation: Explanation, kind: Kind) -> tuple[list[str], list[str]]:
    """The labels of rows and columns; a row of the decoder is a step, labelled read → writes."""
    queries, keys = (side.labels for side in explanation.sides(kind))
    if kind != "self":
        row, pairs = texts("app.attention")["row"], zip(queries, explanation.output, strict=True)
        queries = [fill(row, {"read": read, "writes": token.label}) for read, token in pairs]
    return queries, keys


def stage_arithmetic(p: Page, kind: Kind) -> None:
    """The arithmetic of the current stage for the open cell: the browser has the texts and the numbers, and downloads."""
    values = {"d_k": str(p.view.config.d_k), **roles(p)}
    p.mount_below("attention_arithmetic", pack({}, {"kind": kind, "shared": values}))
    _offer(p, kind)


def _offer(p: Page, kind: Kind) -> None:
    """Downloads of this stage's operands, for the locked cell, otherwise for the current row's strongest key."""
    view, stage = p.view, p.view_options.stage
    head, attention, (queries, keys) = view.head, view.trace.attention(kind, view.layer), labels(view.explanation, kind)
    if kind == "masked":
        keys = keys[: view.step + 1]  # tokens that the decoder has read so far
    rows = len(queries) if kind == "self" else view.step + 1
    picked = p.view_options.cell
    if picked is None or picked[0] >= rows or picked[1] >= len(keys):
        row = view.token if kind == "self" else view.step
        picked = row, int(attention.weights[head, row].argmax())
    query, key = picked
    said = {"query": queries[query], "key": keys[key], "d_k": view.config.d_k}
    if stage == "scores":
        one = cell(attention, head, query, key)
        p.offer("products", "products", "dimension q k product", lambda: cells([None], one.q, one.k, one.products), **said)
    elif stage == "scaled":
        seen = slice(len(keys))
        scores, weights = attention.scores[head, query, seen], attention.weights[head, query, seen]
        allowed = attention.mask[query, seen]
        columns = "key_index key score weight unscaled_weight"
        p.offer("unscaled", "unscaled", columns, lambda: cells([keys], scores, weights, unscaled_weights(scores, allowed)), **said)
    elif stage == "mix":
        columns = "key_index key weight dimension value weighted_value"
        p.offer("mixing", "mixing", columns, lambda: _mixing(attention, head, query, keys), **said)


def _mixing(attention: Attention, head: int, query: int, keys: Sequence[str]) -> Lines:
    """The value of each key times its weight, in each dimension; the last lines, without a key, are the sum, the mix."""
    weights, values = attention.weights[head, query], attention.v[head, : len(keys)]
    for j, c in np.ndindex(values.shape):
        yield [j + 1, keys[j], weights[j], c + 1, values[j, c], weights[j] * values[j, c]]
    yield from ([None, None, None, c, None, value] for c, value in enumerate(attention.mix[head, query], 1))


def roles(p: Page) -> dict[str, Raw]:
    """The roles' colours for formulas: `[[Q]]{q}`."""
    return {role.upper(): Raw(rf"\textcolor{{{p.palette.role_text(role)}}}") for role in "qkv"}


def signed(value: Floats | float) -> Raw:
    """A number as a factor or summand of a formula: in brackets if negative."""
    text = number(float(value))
    return Raw(f"({text})" if text.startswith("-") else text)
