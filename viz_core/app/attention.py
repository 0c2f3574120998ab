"""Attention stage by stage, on every page that has one: scores, ÷√d_k, mask, softmax, weighted sum of the values."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from viz_core.analysis.attention import AttentionCell, SoftmaxRow, cell, entropy, softmax_row, strongest_key, unscaled_weights
from viz_core.app.cache import cached
from viz_core.app.csv_files import Cell, array_csv, csv_file
from viz_core.app.markup import Raw, number
from viz_core.app.page import Page
from viz_core.browser.attention_payload import attention_payload
from viz_core.figures.attention import Floats
from viz_core.figures.base import percent
from viz_core.figures.charts import compare_rows
from viz_core.figures.table import softmax_table
from viz_core.figures.vectors import mixing, products
from viz_core.trace import Attention, Kind

KINDS: tuple[Kind, ...] = ("cross", "masked", "self")
"""The order where all three can be chosen: the one that is asked about most comes first."""


@dataclass(frozen=True, eq=False)
class OpenCell:
    """The cell whose arithmetic is shown.

    Attributes:
        query, key: its labels.
        keys: the labels of the keys that exist at this step.
        cell, row: the numbers of the cell, and those of its query over `keys`.
    """

    attention: Attention
    query: str
    key: str
    keys: Sequence[str]
    cell: AttentionCell
    row: SoftmaxRow


def place(p: Page) -> dict[str, Any]:
    """Layer, head and d_k as the reader counts them."""
    return {"layer": p.view.layer + 1, "head": p.view.head + 1, "d_k": p.view.config.d_k}


def show_attention(p: Page, kind: Kind) -> None:
    """The attention view, with one attention."""
    payload = cached(attention_payload, p.view.explanation, kind)
    p.mount("attention_view", payload, f"{p.name}_attention_view")


def labels(p: Page, kind: Kind) -> tuple[list[str], list[str]]:
    """The labels of rows and columns; a row of the decoder is a step, labelled read → writes."""
    queries, keys = (side.labels for side in p.view.explanation.sides(kind))
    if kind != "self":
        pairs = zip(queries, p.view.explanation.output, strict=True)
        queries = [p.text("row", read=read, writes=token.label) for read, token in pairs]
    return queries, keys


def _open_cell(p: Page, kind: Kind) -> OpenCell:
    """The locked cell, else the strongest key of the current row."""
    view = p.view
    queries, keys = labels(p, kind)
    attention = view.trace.attention(kind, view.layer)
    if kind == "masked":
        keys = keys[: view.step + 1]  # tokens that the decoder has read so far
    rows = len(queries) if kind == "self" else view.step + 1
    picked = p.view_options.cell
    if picked is None or picked[0] >= rows or picked[1] >= len(keys):
        row = view.token if kind == "self" else view.step
        picked = row, strongest_key(attention, view.head, row)
    query, key = picked
    row_numbers = softmax_row(attention, view.head, query, len(keys))
    return OpenCell(attention, queries[query], keys[key], keys, cell(attention, view.head, query, key), row_numbers)


def stage_arithmetic(p: Page, kind: Kind) -> None:
    """The arithmetic of the stage that is shown, for the open cell."""
    with p.below():
        _stage_arithmetic(p, kind)


def _stage_arithmetic(p: Page, kind: Kind) -> None:
    opened = _open_cell(p, kind)
    one = opened.cell
    values = place(p) | roles(p) | {
        "query": opened.query, "key": opened.key, "i": one.query + 1, "j": one.key + 1,
        "score": one.score, "root": math.sqrt(p.view.config.d_k), "scaled": one.scaled,
        "exp": one.exp, "total": one.total, "weight": one.weight, "percent": percent(one.weight),
    }  # fmt: skip
    SHOW_STAGE[p.view_options.stage](p, opened, values)


def _scores(p: Page, opened: OpenCell, values: dict[str, Any]) -> None:
    one, labels = opened.cell, {"query": opened.query, "key": opened.key}
    p.arithmetic("of_scores", **values, terms=terms(zip(one.q, one.k, strict=True), 2))
    names = (p.text("products_q"), p.text("products_k"), p.text("products_qk"))
    figure = products(
        one.q, one.k, **labels, names=names, total=one.score, title=p.text("products_title", **labels),
        axis=p.text("products_axis"), palette=p.palette,
    )  # fmt: skip
    p.show(figure, "products")
    p.offer("products", "products", partial(products_csv, one), **labels)


def _scaled(p: Page, opened: OpenCell, values: dict[str, Any]) -> None:
    """Also the row without the division by √d_k."""
    p.arithmetic("of_scaled", **values)
    row, other = opened.row, unscaled_weights(opened.row)
    p.write(
        "unscaled", query=opened.query, real_top=percent(float(row.weights.max())), other_top=percent(float(other.max())),
        real_bits=entropy(row.weights), other_bits=entropy(other),
    )  # fmt: skip
    names = (p.text("unscaled_real", **place(p)), p.text("unscaled_other"))
    figure = compare_rows(
        opened.keys, row.weights, other, names=names, title=p.text("unscaled_title", **place(p)),
        axes=(p.text("unscaled_keys"), p.text("unscaled_weights")), highlighted=opened.cell.key, palette=p.palette,
    )  # fmt: skip
    p.show(figure, "unscaled")
    p.offer("unscaled", "unscaled", partial(unscaled_csv, opened.keys, row), query=opened.query, d_k=p.view.config.d_k)


def _mask(p: Page, opened: OpenCell, values: dict[str, Any]) -> None:
    p.arithmetic("of_mask_open" if opened.cell.allowed else "of_mask_closed", **values)


def _softmax(p: Page, opened: OpenCell, values: dict[str, Any]) -> None:
    p.arithmetic("of_softmax" if opened.cell.allowed else "of_softmax_masked", **values)
    row, names = opened.row, p.table("headings", **place(p))
    headings = [names[column] for column in ("key", "score", "scaled", "mask", "exp", "weight")]
    table = softmax_table(
        opened.keys, row.scores, row.scaled, row.exp, row.weights, headings=headings, masked=p.text("masked_cell"),
        total=p.text("total"), highlighted=opened.cell.key, palette=p.palette,
    )  # fmt: skip
    p.html(table)


def _mix(p: Page, opened: OpenCell, values: dict[str, Any]) -> None:
    head, query, exist, attention = p.view.head, opened.cell.query, len(opened.keys), opened.attention
    weights, v, mix = attention.weights[head, query], attention.v[head], attention.mix[head, query]
    largest = np.argsort(-weights, kind="stable")
    parts = terms(((weights[j], v[j, 0]) for j in largest if weights[j] > 0), 3)
    p.arithmetic("of_mix", **values, terms=parts, mixed=float(mix[0]))
    titles = (p.text("mix_weights"), p.text("mix_values"), p.text("mix_taken"))
    allowed = np.where(attention.mask[query], weights, np.nan)
    figure = mixing(
        allowed[:exist], v[:exist], mix, opened.keys, titles=titles, total=p.text("mix_total"),
        axes=(p.text("mix_keys"), p.text("mix_dims")), highlighted=opened.cell.key, palette=p.palette,
    )  # fmt: skip
    p.show(figure, "mix")
    p.offer("mixing", "mixing", partial(mixing_csv, attention, head, query, opened.keys), query=opened.query)


SHOW_STAGE: Mapping[str, Callable[[Page, OpenCell, dict[str, Any]], None]] = {
    "scores": _scores,
    "scaled": _scaled,
    "mask": _mask,
    "softmax": _softmax,
    "mix": _mix,
}


def roles(p: Page) -> dict[str, Raw]:
    """The roles' colours for formulas: `[[Q]]{q}`."""
    return {role.upper(): Raw(rf"\textcolor{{{p.palette.role_text(role)}}}") for role in "qkv"}


def terms(pairs: Iterable[tuple[float, float | None]], most: int) -> Raw:
    """The first few products of a sum, in LaTeX; a factor of None is left out."""
    listed = list(pairs)
    shown = [_signed(a) if b is None else rf"{_signed(a)} \cdot {_signed(b)}" for a, b in listed[:most]]
    return Raw(" + ".join([*shown, *([r"\cdots"] if len(listed) > most else [])]))


def _signed(value: Floats | float) -> str:
    text = number(float(value))
    return f"({text})" if text.startswith("-") else text


def products_csv(one: AttentionCell) -> bytes:
    """The products q · k of one cell, a line for each dimension of the head."""
    return array_csv("dimension q k product", (None,), one.q, one.k, one.products)


def unscaled_csv(keys: Sequence[str], row: SoftmaxRow) -> bytes:
    """One query's row with and without the division by √d_k, a line for each key."""
    return array_csv("key_index key score weight unscaled_weight", (keys,), row.scores, row.weights, unscaled_weights(row))


@csv_file("key_index key weight dimension value weighted_value")
def mixing_csv(attention: Attention, head: int, query: int, keys: Sequence[str]) -> Iterator[list[Cell]]:
    """The value of each key times its weight, in each dimension; the last lines, without a key, are their sum, the mix.

    Args:
        keys: the labels of the keys that exist at this step.
    """
    for j, key in enumerate(keys):
        weight = attention.weights[head, query, j]
        yield from ([j + 1, key, weight, c, value, weight * value] for c, value in enumerate(attention.v[head, j], 1))
    yield from ([None, None, None, c, None, value] for c, value in enumerate(attention.mix[head, query], 1))
