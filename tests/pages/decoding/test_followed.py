"""What the browser is sent of every step: the numbers of that step, as they are computed apart from the page."""

from tests.pages.test_all_pages import opened, visited


def test_all_states_together_are_small() -> None:
    app = opened("decoding/page.py")
    names = ("viz_core_plot", "viz_core_tables", "viz_core_arithmetic", "viz_core_beam_tree")
    for case in ("beam", "sampling", "non_autoregressive", "copying"):
        visited(app, text="She speaks French at home and German at school.", case=case)
        parts = [each.proto for each in app.get("bidi_component") if each.proto.component_name in names]
        assert sum(len(part.bytes) for part in parts) < 150_000, {part.component_name: len(part.bytes) for part in parts}
