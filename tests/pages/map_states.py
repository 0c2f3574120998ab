"""What the browser shows of token maps at one step, layer and head, and of the picked cell, out of what the server answers."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from streamlit.testing.v1 import AppTest

from tests.payloads import Payload, unpacked
from tests.plots import addresses, answered, payloads, state_of
from viz_core.app.markup import number
from viz_core.figures.attention import Floats
from viz_core.figures.base import percent
from viz_core.params import WALKED
from viz_core.texts import fill


def sent(app: AppTest, part: str) -> dict[str, Any]:
    """What one browser-side part of the page is sent."""
    (payload,) = payloads(app, part)
    return unpacked(payload)[1]


def maps(app: AppTest) -> Payload:
    """What the browser gets of the maps."""
    (found,) = answered(app, "token_maps")
    return found


def place_of(app: AppTest, place: dict[str, int]) -> dict[str, int]:
    """Where the browser is: where the link has led, but for what is named."""
    return {name: getattr(app.session_state["_view"], name) for name in WALKED} | place


def values(app: AppTest, **place: int) -> dict[str, str]:
    """What stands in the texts below the figure."""
    about, found, at = sent(app, "arithmetic"), dict[str, str](), place_of(app, place)
    if addresses(app, "token_maps"):
        at |= dict(zip(("row", "column"), cell(app, **place), strict=True))
    for part in [{"by": [], "at": about["shared"]}, *about["parts"]]:
        found |= state_of(part, at)
    return found | {name: _worked(app, at, about["columns"], each) for name, each in about["worked"].items()}


def _worked(app: AppTest, place: dict[str, int], labels: list[str], spec: dict[str, Any]) -> str:
    """As `viz_core/browser/arithmetic/arithmetic.ts`."""
    terms: list[tuple[float, ...]]
    maps, row = [np.nan_to_num(numbers(app, name, place)) for name in spec["of"]], place["row"]
    at = int(np.nan_to_num(numbers(app, spec["at"], place)[row]).argmax()) if spec["at"] else place["column"]
    match spec["how"]:
        case "number" | "percent":
            return (number if spec["how"] == "number" else percent)(float(maps[0][row, at]))
        case "ratio":
            return number(float(maps[0][row, at] / maps[1][row, at])) if maps[1][row, at] else "NaN"
        case "label":
            return labels[at]
        case "either":
            return str(spec["texts"][0 if maps[0][row, at] else 1])
        case "same":
            return str(spec["texts"][0 if maps[0][row].argmax() == maps[1][row].argmax() else 1])
        case "terms":
            terms = [(value,) for value in maps[0][:, row, at].tolist()]
        case how:
            terms = [*zip(maps[0][row].tolist(), maps[1][:, at].tolist(), strict=True)]
            terms = [pair for pair in terms if how == "least" or math.prod(pair)]
    size, write = (min, r"\min({})".format) if spec["how"] == "least" else (math.prod, "{}".format)
    between = ", " if spec["how"] == "least" else r" \cdot "
    kept = (sorted(terms, key=size, reverse=True) if spec["most"] else terms)[: spec["most"]]
    written = [write(between.join(map(number, term))) for term in kept]
    return " + ".join([*written, *([r"\cdots"] if len(terms) > len(kept) else [])]) or "0"


def said(app: AppTest, **place: int) -> str:
    """The texts below the figure."""
    about, known = sent(app, "arithmetic"), values(app, **place)
    keys = [fill(section["template"], known) for section in about["sections"]]
    text = "\n".join(fill(about["texts"][key], known) for key in keys if key in about["texts"])
    assert "[[" not in text
    return text


def scaled(app: AppTest, **place: int) -> list[Floats]:
    """The values of every map."""
    return [numbers(app, each["numbers"], place_of(app, place)) for each in maps(app)[1]["maps"]]


def numbers(app: AppTest, name: str, at: Mapping[str, int]) -> Floats:
    """Those called so, at one layer and head."""
    arrays, about = maps(app)
    place = tuple(min(at[each], length - 1) for each, length in zip(about["by"][name], arrays[name].shape, strict=False))
    return arrays[name][place].astype(float)


def cell(app: AppTest, **place: int) -> tuple[int, int]:
    """The cell with a frame, as `viz_core/browser/token_maps/token_maps.ts` finds it."""
    at, (_, about) = place_of(app, place), maps(app)
    picked, step = app.session_state["_view_options"].cell, app.session_state["_view"].step
    of_step = about["of_step"]
    if picked and (not of_step or at["step"] == step):
        return tuple(picked)
    row = at["step"] if of_step else 0
    return row, int(np.nan_to_num(numbers(app, about["greatest"], at)[row]).argmax())
