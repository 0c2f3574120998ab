"""What the calls cost adds up to what the parts cost, and to what a model really holds."""

from __future__ import annotations

from collections import defaultdict

from pages.code.call_cost import call_cost
from tests.conftest import TRACED_IDS, Traced
from viz_core.analysis.cost import part_costs


def part_of(name: str, tied: bool) -> str:
    stack, last = name.partition(".")[0], name.rpartition(".")[2]
    if last.startswith("norm_") or last in ("memory", "states"):
        return f"{stack}.norms"
    if last == "lookup":
        return "embedding" if tied else f"embedding.{stack}"
    block = next((block for block in ("self_attn", "cross_attn", "ffn") if f".{block}." in name), "")
    return f"{stack}.{block}" if block else "generator" if last == "logits" else ""


def test_the_calls_of_a_part_cost_what_the_part_costs(traced: Traced) -> None:
    model, trace = traced
    source, target = map(len, TRACED_IDS)
    found: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for name in trace.tensors:
        for at, cost in enumerate(call_cost(model.config, name, source, target)):
            found[part_of(name, model.config.tied_embeddings)][at] += cost
    assert found.pop("") == [0, 0]
    assert dict(found) == {part.name: [part.parameters, part.products] for part in part_costs(model.config, source, target)}
    assert sum(learnt for learnt, _ in found.values()) == sum(each.numel() for each in model.parameters())
