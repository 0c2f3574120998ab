"""The walk through a pass: its order is the recorder's, and its lines are those of the source, pre-norm or post-norm; what is shown
is the very source, and never markup.
"""

import ast
import re
from collections import defaultdict
from html import unescape
from pathlib import Path
from typing import Any

import pytest
import torch

from pages.code.calls import Call, call_cost, walk
from tests.analysis.test_residual_stream import OTHERS
from tests.conftest import TRACED_IDS, MakeModel, Traced
from viz_core.analysis.cost import part_costs
from viz_core.app.code_panel import coloured
from viz_core.model import Transformer
from viz_core.sites import sites
from viz_core.source import lines_with, source_of
from viz_core.taps import Recorder
from viz_core.texts import texts
from viz_core.trace import Trace

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def walked(traced: Traced) -> tuple[Transformer, list[Call]]:
    return traced[0], walk(traced[0])


def written(call: Call, number: int) -> str:
    """A line of the file in which the function of a call stands."""
    file = ROOT / (call.function.partition(":")[0].replace(".", "/") + ".py")
    return file.read_text("utf-8").splitlines()[number - 1].strip()


def one(calls: list[Call], name: str) -> Call:
    (found,) = [call for call in calls if call.name == name]
    return found


def test_no_site_is_missing_and_the_order_is_that_of_the_recorder(walked: tuple[Transformer, list[Call]]) -> None:
    model, calls = walked
    recorder = Recorder()
    with torch.inference_mode():
        model(torch.tensor([[5, 6, 2]]), torch.tensor([[1, 7]]), recorder)
    assert [call.name for call in calls] == list(recorder.tensors)
    assert {call.name: call.site for call in calls} == sites(model.config)


def test_the_last_highlighted_line_holds_the_tap_of_this_very_site(walked: tuple[Transformer, list[Call]]) -> None:
    for call in walked[1]:
        own = call.name.rpartition(".")[2]
        tap = f"{own.partition('_')[0]}_site" if own.startswith(("norm_", "resid_")) else f'"{own}"'
        assert f"tap({tap}, " in written(call, call.lines[-1]), call.name
        assert call.stack[-1].number == call.lines[-1]
        assert call.stack[-1].text == written(call, call.lines[-1])


def test_each_line_of_the_stack_calls_the_next_one(walked: tuple[Transformer, list[Call]]) -> None:
    call = one(walked[1], "decoder.1.cross_attn.weights")
    names = [line.function.partition(":")[2] for line in call.stack]
    assert names == [
        "Transformer.forward", "Transformer.states", "Transformer.decode", "Decoder.forward", "DecoderLayer.forward",
        "AddAndNorm.forward", "MultiHeadAttention.forward", "scaled_dot_product_attention",
    ]  # fmt: skip
    called = ["self.states(", "self.decode(", "self.decoder(", "layer(", "self.cross_attn(", "sublayer(", names[-1] + "("]
    for line, calls in zip(call.stack, called, strict=False):
        assert calls in line.text


def part_of(name: str, tied: bool) -> str:
    stack, last = name.partition(".")[0], name.rpartition(".")[2]
    if last.startswith("norm_") or last in ("memory", "states"):
        return f"{stack}.norms"
    if last in ("lookup", "positions", "input"):
        return "embedding" if tied else f"embedding.{stack}"
    block = next((block for block in ("self_attn", "cross_attn", "ffn") if f".{block}." in name), "")
    return f"{stack}.{block}" if block else "generator" if last == "logits" else ""


SHAPES: list[dict[str, Any]] = [
    *({"norm": norm, "tied_embeddings": tied} for norm in ("pre", "post") for tied in (True, False)),
    *OTHERS.values(),
    OTHERS["bart"] | {"tied_generator": "source", "decoder_final_norm": True},
]


@pytest.mark.parametrize("fields", SHAPES, ids=str)
def test_the_calls_of_a_part_cost_what_the_part_costs(fields: dict[str, Any], make_model: MakeModel) -> None:
    model, recorder = make_model(**fields), Recorder()
    with torch.inference_mode():
        model(*(torch.tensor([ids]) for ids in TRACED_IDS), recorder)
    trace = Trace(model.config, recorder.tensors)
    source, target = map(len, TRACED_IDS)
    found: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for name in trace.tensors:
        for at, cost in enumerate(call_cost(model.config, name, source, target)):
            found[part_of(name, model.config.tied_embeddings)][at] += cost
    assert found.pop("") == [0, 0]
    assert dict(found) == {part.name: [part.parameters, part.products] for part in part_costs(model.config, source, target)}
    assert sum(learnt for learnt, _ in found.values()) == sum(each.numel() for each in model.parameters())


POINTERS = [
    (f"{file.parent.name}.{key}.{index}", entry["function"], entry.get("highlight", ""))
    for file in sorted((ROOT / "pages").glob("*/en.toml"))
    for key, entries in texts(file.parent.name).items()
    if key.startswith("code") and isinstance(entries, list)
    for index, entry in enumerate(entries)
]
"""Every pointer of every page into the code: where it stands, the function, and the text of the highlighted line."""


def test_the_text_of_each_line_stays_what_it_is() -> None:
    for name in sorted({function for _, function, _ in POINTERS}):
        source, file, start = source_of(name)
        lines = [unescape(re.sub("<[^>]*>", "", line)) for line in coloured(source)]
        assert lines == source.splitlines(), name
        assert start >= 1 and (ROOT / file).read_text("utf-8").splitlines()[start - 1].strip() == lines[0], name


def test_every_pointer_highlights_lines_that_compute() -> None:
    """Found in the function, and in its code: neither in its docstring nor in the line that defines it."""
    for name, function, text in POINTERS:
        source, _, start = source_of(function)
        defined = ast.parse(source).body[0]
        assert isinstance(defined, ast.FunctionDef | ast.ClassDef), name
        documented = [
            number
            for node in ast.walk(defined)
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and ast.get_docstring(node)
            for number in range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1)
        ]
        highlighted = [number - start + 1 for number in lines_with(function, text)]
        assert bool(highlighted) or not text, name
        assert not {defined.lineno, *documented} & set(highlighted), name
