"""Attention stage by stage, on every page that has one: scores, ÷√d_k, mask, softmax, weighted sum of the values."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from viz_core.analysis.attention import AttentionCell, SoftmaxRow, cell, softmax_row, strongest_key, unscaled_weights
from viz_core.app.csv_files import Cell, array_csv, csv_file
from viz_core.app.data_views import attention_view
from viz_core.app.markup import Raw, number
from viz_core.app.page import Page
from viz_core.browser.pack import pack
from viz_core.explain import Explanation
from viz_core.figures.attention import Floats
from viz_core.texts import fill, texts
from viz_core.trace import Attention, Kind

FORMULAS = ("of_scores", "of_scaled", "of_mask_open", "of_mask_closed", "of_softmax", "of_softmax_masked", "of_mix")
TABLES = (
    "masked_cell", "total", "unscaled_title", "unscaled_real", "unscaled_other", "region_softmax", "region_mix", "mix_weights",
    "mix_values", "mix_taken", "mix_total",
)  # fmt: skip
"""Keys of the texts of the arithmetic."""
KINDS: tuple[Kind, ...] = ("cross", "masked", "self")
"""The order of the options if all three can be chosen: the most used one first."""


@dataclass(frozen=True, eq=False)
class OpenCell:
    """The cell whose arithmetic is shown.

    Attributes:
        query, key: labels of its row and column.
        keys: labels of the keys that exist at this step.
        cell, row: the numbers of the cell, and of its query's row over `keys`.
    """

    attention: Attention
    query: str
    key: str
    keys: Sequence[str]
    cell: AttentionCell
    row: SoftmaxRow


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


def _open_cell(p: Page, kind: Kind) -> OpenCell:
    """The locked cell, else the strongest key of the current row."""
    view = p.view
    queries, keys = labels(view.explanation, kind)
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
    """The arithmetic of the current stage for the open cell: texts for the browser, which has the numbers, and downloads."""
    d_k = str(p.view.config.d_k)
    words = {
        **{key: p.texts[key] for key in (*FORMULAS, "unmasked", "unscaled")},
        **{key: p.text(key, d_k=d_k) for key in TABLES},
        "headings": p.table("headings", d_k=d_k),
        "heading": p.texts["of_head"],
    }
    values = {"d_k": d_k, **roles(p)}
    p.mount_below("attention_arithmetic", pack({}, {"kind": kind, "texts": words, "shared": values}))
    OFFERED.get(p.view_options.stage, _nothing)(p, _open_cell(p, kind))


def _offer_products(p: Page, opened: OpenCell) -> None:
    p.offer("products", "products", partial(products_csv, opened.cell), query=opened.query, key=opened.key)


def _offer_unscaled(p: Page, opened: OpenCell) -> None:
    p.offer("unscaled", "unscaled", partial(unscaled_csv, opened.keys, opened.row), query=opened.query, d_k=p.view.config.d_k)


def _offer_mixing(p: Page, opened: OpenCell) -> None:
    attention, head, query = opened.attention, p.view.head, opened.cell.query
    p.offer("mixing", "mixing", partial(mixing_csv, attention, head, query, opened.keys), query=opened.query)


def _nothing(p: Page, opened: OpenCell) -> None:
    """The other stages offer only the numbers of the whole head."""


OFFERED: Mapping[str, Callable[[Page, OpenCell], None]] = {
    "scores": _offer_products,
    "scaled": _offer_unscaled,
    "mix": _offer_mixing,
}


def roles(p: Page) -> dict[str, Raw]:
    """The roles' colours for formulas: `[[Q]]{q}`."""
    return {role.upper(): Raw(rf"\textcolor{{{p.palette.role_text(role)}}}") for role in "qkv"}


def terms(values: Iterable[float], most: int) -> Raw:
    """The first few terms of a sum, in LaTeX."""
    listed = list(values)
    return Raw(" + ".join([*map(signed, listed[:most]), *([r"\cdots"] if len(listed) > most else [])]))


def signed(value: Floats | float) -> Raw:
    """A number as a factor or summand of a formula: in brackets if negative."""
    text = number(float(value))
    return Raw(f"({text})" if text.startswith("-") else text)


def products_csv(one: AttentionCell) -> bytes:
    """The products qᵢ · kᵢ of one cell, a line for each dimension of the head."""
    return array_csv("dimension q k product", (None,), one.q, one.k, one.products)


def unscaled_csv(keys: Sequence[str], row: SoftmaxRow) -> bytes:
    """One query's row with and without the division by √d_k, a line for each key."""
    return array_csv("key_index key score weight unscaled_weight", (keys,), row.scores, row.weights, unscaled_weights(row))


@csv_file("key_index key weight dimension value weighted_value")
def mixing_csv(attention: Attention, head: int, query: int, keys: Sequence[str]) -> Iterator[list[Cell]]:
    """The value of each key times its weight, in each dimension; the last lines, without a key, are the sum, the mix.

    Args:
        keys: the labels of the keys that exist at this step.
    """
    for j, key in enumerate(keys):
        weight = attention.weights[head, query, j]
        yield from ([j + 1, key, weight, c, value, weight * value] for c, value in enumerate(attention.v[head, j], 1))
    yield from ([None, None, None, c, None, value] for c, value in enumerate(attention.mix[head, query], 1))
