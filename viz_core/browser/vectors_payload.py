"""Payloads of vectors as coloured cells: many vectors, one a row; or a few vectors of each token."""

from collections.abc import Mapping, Sequence

import numpy as np

from viz_core.browser.pack import pack
from viz_core.texts import visible
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
    ids: Sequence[int] = (),
    file: str = "",
) -> bytes:
    """A number in each cell of a matrix, with one focused row.

    Tensors: values (n, C), float32.

    Args:
        rows: (n, C).   labels: of the n rows, and also of the columns if a column is picked.
        walked: number of rows, from the first, that belong to tokens and can be focused.
        side: the tokens' side, `source` or `target`.
        titles: `above` the figure, and of `rows` and `columns`.
        ends: of the colour scale; a scale that does not begin below 0 has one hue.
        first: number of the first column, and of the first row in a caption.
        column: the picked column.
        ids: of the tokens, for the arithmetic.
        file: name of the saved picture.
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
        "ids": list(ids),
        "texts": {"lead": titles.get("above", ""), "file": file},
    }
    return pack({"values": np.asarray(rows, np.float32)}, about)


def vector_table_payload(
    vectors: Floats, names: Sequence[str], labels: Sequence[str], *, side: str, axis: str, length: str, scale: int, file: str = ""
) -> bytes:
    """A few vectors of each token, each with its length.

    Tensors: vectors (T, n, D), float32.

    Args:
        vectors: (T, n, D).   names: of the n vectors.   labels: of the T tokens.
        side: the tokens' side.
        axis: title of the axis of dimensions.
        length: text after each vector, with a place for the `value`.
        scale: the vector that sets the ends of a token's colour scale.
        file: name of the saved picture.
    """
    about = {
        "names": list(names),
        "labels": [visible(label) for label in labels],
        "side": side,
        "walks": "token" if side == "source" else "step",
        "axis": axis,
        "scale": scale,
        "texts": {"length": length, "file": file},
    }
    return pack({"vectors": np.asarray(vectors, np.float32)}, about)
