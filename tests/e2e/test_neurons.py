"""The neuron view of the stage in a real browser: whose vectors it shows, that its numbers are the trace's, and what it hides."""

import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e import bare
from tests.e2e.driving import follows, turn_to
from viz_core.app.markup import number
from viz_core.browser.attention_payload import attention_payload
from viz_core.checkpoint import Checkpoint
from viz_core.explain import Explanation, explain
from viz_core.trace import Kind

pytestmark = pytest.mark.e2e
Mount = Callable[..., Page]
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def explained(checkpoint: Checkpoint) -> Explanation:
    return explain(checkpoint, "The otter hides the map.", "Der Otter bemalt die Karte.")


@pytest.fixture
def mount(tab: Page, explained: Explanation) -> Mount:
    """Shows one attention, neuron by neuron."""

    def mounted(kind: Kind, **view: Any) -> Page:
        place: dict[str, Any] = {"page": f"{kind}_attention", "predict": "source", "stages": True}
        bare.mount(tab, "attention_view", attention_payload(explained, kind), explained, {"form": "neurons"} | view, **place)
        return tab

    return mounted


def set_(tab: Page, **view: Any) -> dict[str, Any]:
    """Changes the view; what the store then holds."""
    tab.evaluate("view => store.set(view)", view)
    bare.frame(tab)
    return tab.evaluate("store.view")


def drawing(tab: Page) -> ET.Element:
    """The picture as a file."""
    return ET.fromstring(tab.evaluate("part.svg()"))


def lines(tab: Page) -> list[list[str]]:
    """What is printed, line by line from above, each from the left to the right."""
    found: dict[float, list[tuple[float, str]]] = {}
    for text in drawing(tab).iter(f"{SVG}text"):
        found.setdefault(float(text.get("y", 0)), []).append((float(text.get("x", 0)), text.text or ""))
    return [[words for _, words in sorted(line)] for _, line in sorted(found.items())]


def printed(value: float) -> str:
    return number(float(value)).replace("-", "−")


def cell(tab: Page, key: int, dimension: int) -> tuple[float, float]:
    """Where on the page a product stands."""
    size = tab.locator("canvas.picture").bounding_box()
    assert size is not None
    box = {"x": 0, "y": 0, "w": size["width"], "h": size["height"]}
    compose = "box => code.compose(code.readAttention(bytes), store.view, store.theme, box, false).layout"
    layout = tab.evaluate(compose, box)
    x, y = layout["products"] + (dimension + 0.5) * layout["cw"], layout["y"] + (key + 0.5) * layout["step"]
    return size["x"] + x, size["y"] + y


def test_a_dimension_says_its_numbers_and_a_click_locks_its_key(mount: Mount, explained: Explanation) -> None:
    layer, head, query, key, dimension = 0, 3, 3, 2, 5
    tab = mount("masked", layer=layer, head=head, step=query)
    block, labels = explained.trace.attention("masked", layer), explained.target.labels
    q, k = float(block.q[head, query, dimension]), float(block.k[head, key, dimension])
    tab.mouse.move(*cell(tab, key, dimension))
    numbers = f"q = {printed(q)}, k = {printed(k)}, q × k = {printed(q * k)}"
    row = f"{labels[query]} → {explained.output[query].label}"
    said = f"dimension {dimension + 1}: {numbers}, «{row}» · «{labels[key]}»"
    expect(tab.locator(".reading")).to_have_text(said)
    tab.mouse.click(*cell(tab, key, dimension))
    assert set_(tab)["cell"] == [query, key]


def test_the_query_is_chosen_and_follows_the_step(mount: Mount, explained: Explanation) -> None:
    source, target = explained.source.labels, explained.target.labels
    tab = mount("self")
    weights = explained.trace.attention("self", 0).weights[0]
    assert any(f"q of «{source[0]}»" in line for line in lines(tab))
    tab.get_by_role("button", name="Next query").click()
    assert set_(tab)["cell"] == [1, int(weights[1].argmax())]
    tab.get_by_role("combobox", name="Query").select_option(index=3)
    assert set_(tab)["cell"] == [3, int(weights[3].argmax())]
    assert any(f"q of «{source[3]}»" in line for line in lines(tab))
    tab = mount("masked", step=1)
    for step in (1, 4):
        set_(tab, step=step)
        assert any(f"q of «{target[step]} → {explained.output[step].label}»" in line for line in lines(tab))


def test_where_there_is_no_one_head_or_another_stage_beside_it_stays_a_matrix(mount: Mount) -> None:
    tab = mount("self", show="mean")
    expect(tab.get_by_role("button", name="Neurons")).to_be_disabled()
    assert not any(words.startswith("q of") for line in lines(tab) for words in line)
    set_(tab, show="one")
    assert any(words.startswith("q of") for line in lines(tab) for words in line)
    tab.add_script_tag(
        content="part.destroy(); part = code.mountAttentionView(document.querySelector('#root'), bytes, store, new Map());"
    )
    bare.frame(tab)
    assert not any(words.startswith("q of") for line in lines(tab) for words in line)


def test_a_link_restores_it_and_the_address_follows(kept: Page, server: str) -> None:
    turn_to(kept, f"{server}/cross_attention?text=The+cat+sleeps.&form=neurons&step=2")
    neurons = kept.get_by_role("button", name="Neurons")
    expect(neurons).to_have_attribute("aria-pressed", "true")
    said = re.compile(r"neuron view: the query «.+» and \d keys in rows")
    expect(kept.locator("canvas.picture")).to_have_attribute("aria-label", said)
    neurons.click()
    expect(neurons).to_have_attribute("aria-pressed", "false")
    neurons.click()
    follows(kept, form="neurons")
