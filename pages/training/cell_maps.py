"""Maps of cells with words in them: the attention of the tiny model, one head or all, and a sentence's tokens at each snapshot."""

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from viz_core.app.page import Page
from viz_core.browser.pack import pack
from viz_core.figures.attention import Floats
from viz_core.figures.base import percent, share_in_cell
from viz_core.texts import enumerated, fill, named, texts, visible

Words = Sequence[Sequence[str]]


def show_cell_maps(
    p: Page, values: Floats, sides: tuple[Sequence[str], Sequence[str]], hovers: Sequence[Words], *,
    title: str, axes: tuple[str, str], file: str, names: Words = (), lines: Sequence[Sequence[Sequence[str]]] = (),
    framed: Sequence[tuple[int, int]] = (), held: int = -1, border: Floats | None = None, first: int = 0,
) -> None:  # fmt: skip
    """Shows one map, or with `names` small ones: layers down, heads across; a click on one sets the page's control `part`.

    Args:
        values: (layers, heads, rows, columns), in 0…1.
        sides: labels of rows and columns.
        hovers: for each map the texts of its cells.
        axes: names of rows and columns.
        file: name of the saved picture.
        lines: at most two for each cell of a single map.
        framed: cells with a frame.   held: the current row.
        border: (rows, columns); a dashed line separates cells below ½ from the others.
        first: `part` of the first small map.
    """
    tensors = {"values": np.nan_to_num(values).astype(np.float32)}
    if border is not None:
        tensors["border"] = border.astype(np.float32)
    about = {
        "title": title, "queries": list(map(visible, sides[0])), "keys": list(map(visible, sides[1])), "axes": axes,
        "names": names, "lines": [[[*map(visible, cell)] for cell in row] for row in lines],
        "hovers": [[[*map(visible, row)] for row in each] for each in hovers], "framed": framed, "held": held, "first": first,
        "texts": {**texts("browser.token_maps"), "file": file},
    }  # fmt: skip
    p.mount("cell_maps", pack(tensors, about))


def show_example(
    p: Page, weights: Floats, queries: Sequence[str], keys: Sequence[str], right: Sequence[int], *,
    title: str, where: str, axes: tuple[str, str], cost: Floats | None,
) -> None:  # fmt: skip
    """Attention of one head on the example, (Tq, Tk), the answers framed.

    Args:
        right: for each of the first rows the column of the answer.
        where: the end of each hover text.
        cost: the penalty W of guided attention, drawn as lines between the cells.
    """
    looks = texts("figures.hovers")["looks"]

    def hover(row: int, column: int) -> str:
        share = percent(float(weights[row, column]))
        return f"{fill(looks, {'query': queries[row], 'key': keys[column], 'share': share})}, {where}"

    show_cell_maps(
        p, weights[None, None], (queries, keys), [_each(hover, *weights.shape)], title=title, axes=axes, file="attention",
        lines=[[[share_in_cell(float(share))] for share in row] for row in weights], framed=[*enumerate(right)], border=cost,
    )  # fmt: skip


def show_all_heads(
    p: Page, weights: Floats, queries: Sequence[str], keys: Sequence[str], *,
    title: str, names: Words, axes: tuple[str, str], first: int,
) -> None:  # fmt: skip
    """All heads as small maps. weights: (L, h, Tq, Tk)."""

    def hover(name: str, map: Floats, row: int, column: int) -> str:
        place = enumerated([f"{axes[0]} {queries[row]}", f"{axes[1]} {keys[column]}"])
        return named(name, named(place, percent(float(map[row, column]))))

    hovers = [
        _each(partial(hover, name, map), *map.shape)
        for line, maps in zip(names, weights, strict=True)
        for name, map in zip(line, maps, strict=True)
    ]
    show_cell_maps(p, weights, (queries, keys), hovers, title=title, axes=axes, file="attention", names=names, first=first)


def _each(words: Callable[[int, int], str], rows: int, columns: int) -> list[list[str]]:
    return [[words(row, column) for column in range(columns)] for row in range(rows)]
