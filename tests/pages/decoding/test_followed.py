"""What the browser is sent of every step: the numbers of that step, as they are computed apart from the page."""

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from pages.decoding.compute import SamplingOptions, draw
from tests.pages.test_all_pages import opened
from tests.plots import below
from viz_core.app.markup import number
from viz_core.checkpoint import Checkpoint
from viz_core.explain import explain, traced_pass
from viz_core.figures.base import percent

PAGE = "decoding/page.py"
TEXT = "She speaks French at home and German at school."


def arrived(**parameters: str) -> AppTest:
    return opened(PAGE, **{"text": TEXT} | parameters)


def test_a_draws_distribution_is_the_one_after_its_own_words(shipped: Checkpoint) -> None:
    ex = explain(shipped, TEXT)
    drawn = draw(shipped, ex, SamplingOptions(), 0, 10)[2]
    trace = traced_pass(shipped, [ex.source.ids], [(shipped.config.bos_id, *drawn.ids[:-1])])
    app = arrived(case="sampling", draw="3")
    for step in (0, 4, min(len(drawn.ids), len(ex.steps)) - 1):
        log_probs = trace.array("output.log_probs")[step]
        told = below(app, step=step)
        assert f"p = {number(float(np.log(np.exp(log_probs.astype(float)).max())))}$" in told["arithmetic"]
        assert f"Draw 3 used the random number {number(drawn.dice[step])} at step {step + 1}" in told["told"]
        rank = 1 + int((log_probs > log_probs[drawn.ids[step]]).sum())
        assert f"rank {rank:,}: the model itself gives it {percent(drawn.before[step])}" in told["told"]


@pytest.mark.parametrize("case", ["beam", "sampling", "non_autoregressive", "copying"])
def test_all_states_together_are_small(case: str) -> None:
    app = arrived(case=case)
    names = ("viz_core_plot", "viz_core_tables", "viz_core_arithmetic", "viz_core_beam_tree")
    parts = [each.proto for each in app.get("bidi_component") if each.proto.component_name in names]
    assert sum(len(part.bytes) for part in parts) < 150_000, {part.component_name: len(part.bytes) for part in parts}
