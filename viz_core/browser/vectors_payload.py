"""Payloads of vectors as coloured cells: many of them, one in each row; or a few that belong to one token, for each token."""

from collections.abc import Mapping, Sequence

import numpy as np

from viz_core.browser.pack import pack
from viz_core.texts import texts, visible
from viz_core.trace import Floats


def vector_matrix_payload(
    rows: Floats,
    labels: Sequence[str],
    *,
    walked: int,
    side: str,
    titles: Mapping[str, str],
    ends: tuple[float, float],
    first: int = 1,
    column: int | None = None,
    file: str = "",
) -> bytes:
    """A number in each cell of a matrix, with one focused row.

    Tensors: values (n, C), float32.

    Args:
        rows: (n, C).   labels: of the n rows, and of the columns where a column is picked, too.
        walked: so many rows, from the first, belong to tokens and can be focused.
        side: whose tokens they are, `source` or `target`.
        titles: `above` all, and of `rows` and `columns`.
        ends: of the scale of colours; a scale that does not begin below 0 has one hue.
        first: the number of the first column, and of the first row's place in a reading.
        column: the picked column.
        file: name of the picture.
    """
    about = {
        "labels": [visible(label) for label in labels],
        "walked": walked,
        "side": side,
        "walks": "token" if side == "source" else "step",
        "titles": {"above": "", **titles},
        "ends": ends,
        "first": first,
        "column": column,
        "texts": {**texts("browser.vectors"), "lead": titles.get("above", ""), "file": file},
    }
    return pack({"values": np.asarray(rows, np.float32)}, about)


def vector_table_payload(
    vectors: Floats, names: Sequence[str], notes: Sequence[Sequence[str]], labels: Sequence[str], *, side: str, axis: str,
    limits: Sequence[float], first: int = 1, file: str = "",
) -> bytes:  # fmt: skip
    """A few vectors of each token.

    Tensors: vectors (T, n, D), float32.

    Args:
        vectors: (T, n, D).   names: of the n vectors.   notes: behind each of them, (T, n).   labels: of the T tokens.
        side: whose tokens they are.
        axis: title of the axis of dimensions.
        limits: of each token, (T,): its scale of colours ends there, on both sides of 0.
        first: the number of the first dimension.
        file: name of the picture.
    """
    about = {
        "names": list(names),
        "notes": [list(each) for each in notes],
        "labels": [visible(label) for label in labels],
        "side": side,
        "walks": "token" if side == "source" else "step",
        "axis": axis,
        "limits": list(limits),
        "first": first,
        "texts": {**texts("browser.vectors"), "file": file},
    }
    return pack({"vectors": np.asarray(vectors, np.float32)}, about)
