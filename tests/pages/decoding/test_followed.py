"""What the browser is sent of every step: the numbers of that step, as they are computed apart from the page."""

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.test_all_pages import opened

PAGE = "decoding/page.py"
TEXT = "She speaks French at home and German at school."


def arrived(**parameters: str) -> AppTest:
    return opened(PAGE, **{"text": TEXT} | parameters)


@pytest.mark.parametrize("case", ["beam", "sampling", "non_autoregressive", "copying"])
def test_all_states_together_are_small(case: str) -> None:
    app = arrived(case=case)
    names = ("viz_core_plot", "viz_core_tables", "viz_core_arithmetic", "viz_core_beam_tree")
    parts = [each.proto for each in app.get("bidi_component") if each.proto.component_name in names]
    assert sum(len(part.bytes) for part in parts) < 150_000, {part.component_name: len(part.bytes) for part in parts}
