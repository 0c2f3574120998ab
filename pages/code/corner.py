"""The data of the map of calls, and of a few cells of a call's tensor."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import numpy as np

from pages.code.calls import Call, walk
from pages.code.controls import LayeredCalls, block_of, part_of
from viz_core.analysis.next_token import vocabulary_label
from viz_core.app.answers import Between, Index, beyond
from viz_core.app.cache import cached
from viz_core.app.markup import number
from viz_core.browser.pack import pack
from viz_core.checkpoint import Checkpoint
from viz_core.explain import Explanation
from viz_core.texts import fill, texts, visible
from viz_core.trace import BLOCKS
from viz_core.wording import worded

ROWS, COLUMNS, TOP_TOKENS = 4, 4, 3
MANY = 5
"""Above this many layers their names on the map are short."""
ROLES: Mapping[str, str] = {"q": "q", "k": "k", "v": "v", "out": "output"}


def layered_calls(checkpoint: Checkpoint) -> tuple[list[Call], LayeredCalls]:
    """The calls of a pass, and how they repeat in the layers that can be chosen."""
    calls = cached(walk, checkpoint.model)
    return calls, LayeredCalls([call.name for call in calls], checkpoint.config.common_layers)


def _in_layers(checkpoint: Checkpoint, call: int) -> tuple[list[Call], list[int]]:
    """All calls, and this one's indices in the layers that can be chosen, or only itself."""
    calls, layered = layered_calls(checkpoint)
    if call >= len(calls):
        raise beyond("call", call, Between(0, len(calls) - 1))
    layers = 1 if layered.layer(call) is None else layered.layers
    return calls, [layered.at(call, layer) for layer in range(layers)]


def call_map(checkpoint: Checkpoint, call: Index) -> bytes:
    """The parts of the model, and the calls of the part that contains the current call.

    About: parts; layers, for each layer that can be chosen: part, the index of the current one, at, the current call, and rows,
    each a name and its calls. A part or call has a name, its text below the map, the call that a click goes to, and perhaps a role.
    """
    words, (calls, places) = worded("code", checkpoint.config), _in_layers(checkpoint, call)
    firsts: dict[str, int] = {}
    for i, item in enumerate(calls):
        firsts.setdefault(part_of(item.name), i)
    many = max(checkpoint.config.layers(stack) for stack in BLOCKS) > MANY
    parts = [
        {
            "name": _part_name(words, part, "_short" * many), "at": first,
            "says": fill(words["map"]["go_part"], {"name": _part_name(words, part, "_long")}),
        }
        for part, first in firsts.items()
    ]  # fmt: skip
    about = {
        "parts": parts,
        "layers": [
            {
                "part": [*firsts].index(part_of(calls[index].name)),
                "at": index,
                "rows": _rows(words, calls, part_of(calls[index].name)),
            }
            for index in places
        ],
    }
    return pack({}, about)


def _rows(words: Mapping[str, Any], calls: Sequence[Call], here: str) -> list[dict[str, Any]]:
    """The calls of one part by sub-layer."""
    rows: dict[str, list[dict[str, Any]]] = {}
    for i, call in enumerate(calls):
        if part_of(call.name) == here:
            said = {"number": i + 1, "name": call.name, "what": texts("sites")[call.site.text_key]}
            last = call.name.rpartition(".")[2].partition("_")
            name = f"{last[0]}_{last[2]}" if last[0] not in ("norm", "resid") and last[2] else last[0]
            name = "norm" if call.site.text_key == "normed" else name  # where a LayerNorm follows the sum
            box = {
                "name": words["operations"][name],
                "at": i,
                "says": fill(words["map"]["go_call"], said),
                "role": ROLES.get(name, ""),
            }
            rows.setdefault(block_of(call.name), []).append(box)
    names = words["encoder_blocks" if here.startswith("encoder") else "decoder_blocks"]
    return [{"name": names.get(block, words["map"]["calls"]), "calls": boxes} for block, boxes in rows.items()]


def _part_name(words: Mapping[str, Any], part: str, form: str) -> str:
    """form: `_short`, `_long`, or empty."""
    stack, _, layer = part.partition(".")
    if layer.isdecimal():
        return fill(words["layers_of_model"][stack + form], {"layer": int(layer) + 1})
    return str(words["parts_of_model"][part])


def corner(checkpoint: Checkpoint, explanation: Explanation, at: Index, most: Annotated[int, Between(1, ROWS)]) -> bytes:
    """A few cells of a call's tensor: the rows around each step, or the source's first rows. at: the index of the call.

    Tensors: cells (L, h, T, rows, columns), in which axes that the call lacks have length 1; first (T,), the first row.

    About: rows and columns, their labels; columns is one list for each T, of the most probable tokens, or one for all; here,
    whether the row of the step is highlighted; mask; heads, of how many the cells are one's, or 0; ranges, of each layer's tensor;
    axes, of the tensor; at, its call's index; shapes, of the tensors of all calls.
    """
    words, (calls, places) = worded("code", checkpoint.config)["corner"], _in_layers(checkpoint, at)
    one, trace = calls[places[0]], explanation.trace
    axes = [*one.site.axes[0 if one.name.endswith(".positions") else 1 :]]
    source, target = ([visible(label) for label in side.labels] for side in (explanation.source, explanation.target))
    by_source, across = one.name.startswith(("source", "encoder")), ".cross_attn." in one.name
    many = axes[0] in ("h", "1")
    wholes: list[Any] = [trace.array(calls[place].name) for place in places]  # a mask has booleans
    stacked = np.stack([whole if many else whole[None] for whole in wholes])  # (L, h, rows, columns)
    down, over = axes[-2:]
    source_rows = by_source or (across and down == "Tk")
    labels = source if source_rows else target
    same_rows = stacked.shape[2] != len(labels)  # a mask that is the same for all queries
    names = [words["every_row"]] if same_rows else labels
    here = not source_rows and not same_rows
    columns, labels_of = _columns(checkpoint, explanation, over, source if by_source or across else target, stacked.shape[3], words)
    first = [min(max((step if here else 0) - 1, 0), max(len(names) - most, 0)) for step in range(1 if by_source else len(target))]
    cells = [stacked[:, :, place : place + most][..., columns[min(step, len(columns) - 1)]] for step, place in enumerate(first)]
    about = {
        "rows": names, "columns": labels_of, "here": here, "mask": wholes[0].dtype == bool,
        "heads": stacked.shape[1] if axes[0] == "h" else 0, "ranges": [ends(whole) for whole in wholes],
        "axes": one.site.axes, "at": places[0], "shapes": [trace[each.name].shape for each in calls],
    }  # fmt: skip
    return pack({"cells": np.stack(cells, 2).astype(np.float32), "first": np.array(first, np.int32)}, about)


def _columns(
    checkpoint: Checkpoint, explanation: Explanation, axis: str, keys: list[str], width: int, words: Mapping[str, str]
) -> tuple[list[list[int]], list[list[str]]]:
    """Indices and labels of the columns: of each step's most probable tokens, else the same first ones for all steps."""
    if axis == "V":
        ids = [step.top_ids(TOP_TOKENS) for step in explanation.steps]
        return ids, [[vocabulary_label(checkpoint.tokenizer, i) for i in each] for each in ids]
    places = [*range(min(COLUMNS, width))]
    return [places], [[keys[i] if axis == "Tk" else fill(words["dimension"], {"number": i + 1}) for i in places]]


def minus(value: float) -> str:
    """A number for readers, with a true minus sign."""
    return number(value).replace("-", "−")


def ends(whole: Any) -> list[float]:
    """The smallest and the largest number, ignoring −∞; none if any is NaN or ∞. Of a mask the number of open cells."""
    if whole.dtype == bool:
        return [int(whole.sum())]
    finite = whole[~np.isneginf(whole)]
    return [float(finite.min()), float(finite.max())] if finite.size and np.isfinite(finite).all() else []
