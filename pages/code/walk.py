"""The walk through a forward pass: each call as a formula, the line that computes it, and its numbers for this sentence."""

from collections.abc import Mapping

import numpy as np
import streamlit as st

from pages.code.calls import Call, call_cost, tapped
from pages.code.controls import CALL, LAYER, LayeredCalls, block_of, pick_call
from pages.code.corner import ROWS, call_map, corner, layered_calls
from viz_core.app import session
from viz_core.app.code_panel import CodeLink, code_html
from viz_core.app.components import connect
from viz_core.app.controls import draw_link
from viz_core.app.csv_files import Lines
from viz_core.app.markup import Raw
from viz_core.app.page import Page
from viz_core.texts import texts
from viz_core.trace import BLOCK, Trace

STAGES: Mapping[str, str] = {
    "scores": "scores", "scaled": "scaled", "mask": "mask", "masked": "mask", "weights": "softmax", "mix": "mix"
}  # fmt: skip
"""The stage of an attention page on which a site is drawn."""
ON_STAGE, FEW = 2, 2
"""Limits in lecture mode: lines of code before and after the highlighted ones, and rows of a tensor."""


def show_walk(p: Page) -> None:
    """The map of the pass; and formula, numbers and code of the picked call side by side, in the chosen layer."""
    calls, layered = layered_calls(p.view.checkpoint)
    picked = pick_call(p, layered)
    # in lecture mode the row of controls is not shown
    with st.container(key="_walk_steps", horizontal=True) if session.lecture() else p.controls():
        for step, name in ((-1, "before"), (1, "after")):
            beside = [{"call": CALL.write(layered.at(picked, layer) + step)} for layer in range(layered.layers)]
            draw_link(p.text(name), f"code_{name}", {}, disabled=not 0 <= picked + step < len(calls), each=(["layer"], beside))
        p.write("click_call")
    with st.container(gap="xsmall"):  # all of it must fit the stage
        p.answer(call_map, call=picked)
        left, right = st.columns([10, 13], gap="medium")
        with left, st.container(gap="xsmall"):
            _show_numbers(p, calls, layered, picked)
        with right:
            _show_code(p, calls, layered, picked)
    trace = p.view.trace
    columns = "call site function line axes shape parameters multiply_adds least greatest"
    p.offer("calls", "calls", columns, lambda: _lines(calls, trace), calls=len(calls))


def _lines(calls: list[Call], trace: Trace) -> Lines:
    """The calls in order: the line that makes each one, its shape in this pass, its parameters, multiply-adds and extremes.

    A shared matrix counts at its first use.
    """
    source, target = (trace[f"{side}.lookup"].size(1) for side in ("source", "target"))
    for index, call in enumerate(calls, 1):
        tensor = trace[call.name]
        cost = call_cost(trace.config, call.name, source, target)
        ends = [np.float32(tensor.min()), np.float32(tensor.max())] if tensor.is_floating_point() else [None, None]
        where = call.name, call.function, call.stack[-1].number, " ".join(call.site.axes), " × ".join(map(str, tensor.shape))
        yield [index, *where, *cost, *ends]


def _show_numbers(p: Page, calls: list[Call], layered: LayeredCalls, picked: int) -> None:
    call = calls[picked]
    p.write("formula", formula=Raw(call.site.formula))
    p.answer(corner, at=picked, most=FEW if session.lecture() else ROWS)
    page, own = drawn_on(call)
    draw_link(p.text("see", title=texts(page)["title"]), "code_see", {**own, **_place(call, layered, page)}, page)


def _show_code(p: Page, calls: list[Call], layered: LayeredCalls, picked: int) -> None:
    """The function with the call's lines highlighted, each tap as a link; the functions that ran for it; the call stack."""
    call, links = calls[picked], _links(p, calls, picked)
    around = ON_STAGE if session.lecture() else None
    to = {link.call: [CALL.write(layered.at(link.call, layer)) for layer in range(layered.layers)] for link in links.values()}
    code = code_html(call.function, call.lines, near=True, around=around, links=links)
    inside = "".join(code_html(function, ()) for function in call.inside)
    rows = [(f"{line.function.partition(':')[2]}, {line.number}", line.text) for line in call.stack]
    stack = "\n".join(f"{'  ' * depth}{name}:\n{'  ' * depth}    {text}" for depth, (name, text) in enumerate(rows))
    told = {"title": p.text("stack", depth=len(call.stack)), "stack": stack}
    connect("lines", {"html": code, "inside": inside, "at": picked, "calls": to, **told}, in_page=True)


def _links(p: Page, calls: list[Call], picked: int) -> dict[int, CodeLink]:
    """Line → the call it makes. If a line makes several calls, the one after `at`."""
    by_line: dict[int, list[int]] = {}
    for i, line in tapped(calls, picked):
        by_line.setdefault(line, []).append(i)
    links = {}
    for line, calls_of in by_line.items():
        to = calls_of[(calls_of.index(picked) + 1) % len(calls_of)] if picked in calls_of else calls_of[0]
        label = p.text("go_line", name=LAYER.sub("", calls[to].name), what=texts("sites")[calls[to].site.text_key])
        links[line] = CodeLink(to, picked in calls_of, label, calls_of)
    return links


def drawn_on(call: Call) -> tuple[str, dict[str, str]]:
    """The page that draws a call, and its own controls there."""
    stack, last, block = call.name.partition(".")[0], call.name.rpartition(".")[2], block_of(call.name)
    if last in ("lookup", "embedding"):
        return "embeddings", {"show": "lookup" if last == "lookup" else "scaled", "side": stack}
    if last in ("positions", "input"):
        return "positions", {"show": "matrix" if last == "positions" else "sum", "side": stack}
    if block and (kind := next((kind for kind, place in BLOCK.items() if place == (stack, block)), "")):
        if last in ("q", "k", "v"):
            return "qkv", {"kind": kind, "role": last}
        if last in STAGES:
            return f"{kind}_attention", {}
    if block:
        show = "norm" if last.startswith("norm_") else "ffn" if ".ffn." in call.name else "stream"
        return "residual", {"show": show, "stack": stack, f"sublayer_{stack}": f"{stack}_{block}"}
    return ("qkv", {"kind": "cross", "role": "k"}) if last == "memory" else ("output", {})


def _place(call: Call, layered: LayeredCalls, page: str) -> dict[str, str]:
    """The call's layer if it is not the chosen one, and its stage on a page that shows the stages of an attention."""
    place = {}
    if (match := LAYER.match(call.name)) and int(match[2]) >= layered.layers:
        place["layer"] = str(int(match[2]) + 1)
    if stage := STAGES.get(call.name.rpartition(".")[2]):
        place["stage"] = "scaled" if stage == "mask" and page != "masked_attention" else stage  # elsewhere nothing is masked
    return place
