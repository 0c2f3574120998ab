"""Attention stage by stage, on every page that has one: scores, ÷√d_k, mask, softmax, weighted sum of the values."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import plotly.graph_objects as go

from viz_core.analysis.attention_cell import AttentionCell, cell, entropy, softmax_row, strongest_key, unscaled_weights
from viz_core.app.attention_csv import mixing_csv, products_csv, unscaled_csv
from viz_core.app.cache import cached
from viz_core.app.markup import Raw, number
from viz_core.app.page import Page
from viz_core.browser.attention_payload import attention_payload
from viz_core.figures.attention import Floats
from viz_core.figures.bars import compare_rows
from viz_core.figures.base import percent
from viz_core.figures.table import softmax_table
from viz_core.figures.vectors import mixing, products
from viz_core.trace import Attention, Kind

KINDS: tuple[Kind, ...] = ("cross", "masked", "self")
"""The order where all three can be chosen: the one that is asked about most comes first."""


@dataclass(frozen=True, eq=False)
class OpenCell:
    """The cell whose arithmetic is shown, in one attention with its labels.

    Attributes:
        queries, keys: labels of rows and columns.
        picked: its query and key.
        exist: the number of keys that exist at this step; None for all.
    """

    attention: Attention
    queries: Sequence[str]
    keys: Sequence[str]
    picked: tuple[int, int]
    exist: int | None = None


def place(p: Page) -> dict[str, Any]:
    """Layer, head and d_k as the reader counts them."""
    return {"layer": p.view.layer + 1, "head": p.view.head + 1, "d_k": p.view.config.d_k}


def show_attention(p: Page, kind: Kind) -> None:
    """The attention view, with one attention."""
    payload = cached(attention_payload, p.view.explanation, kind)
    p.mount("attention_view", payload, f"{p.name}_attention_view")


def labels(p: Page, kind: Kind) -> tuple[list[str], list[str]]:
    """The labels of rows and columns; a row of the decoder is a step, labelled read → writes."""
    view = p.view
    queries, keys = (view.source if kind == "self" else view.target), (view.target if kind == "masked" else view.source)
    if kind != "self":
        pairs = zip(queries, view.explanation.output, strict=True)
        queries = [p.text("row", read=read, writes=token.label) for read, token in pairs]
    return queries, keys


def _open_cell(p: Page, kind: Kind) -> OpenCell:
    """The locked cell, else the strongest key of the current row."""
    view = p.view
    queries, keys = labels(p, kind)
    attention = view.trace.attention(kind, view.layer)
    exist = view.step + 1 if kind == "masked" else None  # tokens that the decoder has read so far
    rows, columns = len(queries) if kind == "self" else view.step + 1, exist or len(keys)
    row = 0 if kind == "self" else view.step
    cell = p.view_options.cell
    if cell is None or cell[0] >= rows or cell[1] >= columns:
        cell = row, strongest_key(attention, view.head, row)
    return OpenCell(attention, queries, keys, cell, exist)


def stage_arithmetic(p: Page, kind: Kind) -> None:
    """The arithmetic of the stage that is shown, for the open cell."""
    opened, stage = _open_cell(p, kind), p.view_options.stage
    query, key = opened.picked
    one = cell(opened.attention, p.view.head, query, key)
    values = place(p) | _numbers(p, opened, one)
    if stage == "scores":
        p.arithmetic("of_scores", **values, terms=terms(zip(one.q, one.k, strict=True), 2))
        show_products(p, opened)
    elif stage == "scaled":
        p.arithmetic("of_scaled", **values)
        _unscaled(p, opened)
    elif stage == "mask":
        p.arithmetic("of_mask_open" if one.allowed else "of_mask_closed", **values)
    elif stage == "softmax":
        p.arithmetic("of_softmax" if one.allowed else "of_softmax_masked", **values)
        show_table(p, opened)
    else:
        weights, column = opened.attention.weights[p.view.head, query], opened.attention.v[p.view.head, :, 0]
        order = np.argsort(-weights, kind="stable")
        parts = terms(((weights[j], column[j]) for j in order if weights[j] > 0), 3)
        p.arithmetic("of_mix", **values, terms=parts, mixed=float(opened.attention.mix[p.view.head, query, 0]))
        p.show(_mix_figure(p, opened), "mix")
        keys = opened.keys[: opened.exist]
        p.offer("mixing", "mixing", partial(mixing_csv, opened.attention, p.view.head, query, keys), query=values["query"])


def show_products(p: Page, opened: OpenCell) -> None:
    """The d_k products of the picked cell."""
    one = cell(opened.attention, p.view.head, *opened.picked)
    names = (p.text("products_q"), p.text("products_k"), p.text("products_qk"))
    query, key = opened.queries[one.query], opened.keys[one.key]
    figure = products(
        one.q, one.k, query=query, key=key, names=names, total=one.score,
        title=p.text("products_title", query=query, key=key), axis=p.text("products_axis"), palette=p.palette,
    )  # fmt: skip
    p.show(figure, "products")
    p.offer("products", "products", partial(products_csv, one), query=query, key=key)


def show_table(p: Page, opened: OpenCell) -> None:
    """The softmax of the picked row, one column for each operation."""
    query, key = opened.picked
    row = softmax_row(opened.attention, p.view.head, query, opened.exist)
    names = p.table("headings", **place(p))
    headings = [names[column] for column in ("key", "score", "scaled", "mask", "exp", "weight")]
    table = softmax_table(
        opened.keys[: opened.exist], row.scores, row.scaled, row.exp, row.weights,
        headings=headings, masked=p.text("masked_cell"), total=p.text("total"), highlighted=key, palette=p.palette,
    )  # fmt: skip
    p.html(table)


def _unscaled(p: Page, opened: OpenCell) -> None:
    """The picked row with and without the division by √d_k."""
    query, key = opened.picked
    row = softmax_row(opened.attention, p.view.head, query, opened.exist)
    other = unscaled_weights(row)
    p.write(
        "unscaled",
        query=opened.queries[query],
        real_top=percent(float(row.weights.max())),
        other_top=percent(float(other.max())),
        real_bits=entropy(row.weights),
        other_bits=entropy(other),
    )
    names = (p.text("unscaled_real", **place(p)), p.text("unscaled_other"))
    figure = compare_rows(
        opened.keys[: opened.exist], row.weights, other, names=names, title=p.text("unscaled_title", **place(p)),
        axes=(p.text("unscaled_keys"), p.text("unscaled_weights")), highlighted=key, palette=p.palette,
    )  # fmt: skip
    p.show(figure, "unscaled")
    keys = opened.keys[: opened.exist]
    p.offer("unscaled", "unscaled", partial(unscaled_csv, keys, row), query=opened.queries[query], d_k=p.view.config.d_k)


def _mix_figure(p: Page, opened: OpenCell) -> go.Figure:
    """The weighted sum of the values, for the picked query."""
    head, seen, (query, key) = p.view.head, opened.attention, opened.picked
    exist = opened.exist
    weights = np.where(seen.mask[query, :exist], seen.weights[head, query, :exist], np.nan)
    titles = (p.text("mix_weights"), p.text("mix_values"), p.text("mix_taken"))
    return mixing(
        weights, seen.v[head, :exist], seen.mix[head, query], opened.keys[:exist], titles=titles, total=p.text("mix_total"),
        axes=(p.text("mix_keys"), p.text("mix_dims")), highlighted=key, palette=p.palette,
    )  # fmt: skip


def _numbers(p: Page, opened: OpenCell, one: AttentionCell) -> dict[str, Any]:
    """The values of the arithmetic texts."""
    return roles(p) | {
        "query": opened.queries[one.query],
        "key": opened.keys[one.key],
        "i": one.query + 1,
        "j": one.key + 1,
        "score": one.score,
        "root": math.sqrt(p.view.config.d_k),
        "scaled": one.scaled,
        "exp": one.exp,
        "total": one.total,
        "weight": one.weight,
        "percent": percent(one.weight),
    }


def roles(p: Page) -> dict[str, Raw]:
    """The roles' colours for formulas: `[[Q]]{q}`."""
    return {role.upper(): Raw(rf"\textcolor{{{p.palette.role_text(role)}}}") for role in "qkv"}


def terms(pairs: Iterable[tuple[float, float | None]], most: int) -> Raw:
    """The first few products of a sum, in LaTeX; a factor of None is none."""
    listed = list(pairs)
    shown = [_signed(a) if b is None else rf"{_signed(a)} \cdot {_signed(b)}" for a, b in listed[:most]]
    return Raw(" + ".join([*shown, *([r"\cdots"] if len(listed) > most else [])]))


def _signed(value: Floats | float) -> str:
    text = number(float(value))
    return f"({text})" if text.startswith("-") else text
