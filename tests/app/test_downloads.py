"""What each page offers to take along can be made, and is of what the page shows."""

import json
import re
from typing import Any

import pytest

from viz_core.app import downloads
from viz_core.app.drawing import Drawn
from viz_core.app.page import Page
from viz_core.app.view_options import View
from viz_core.checkpoint import Checkpoint
from viz_core.explain import explain

OFFERED = {"overview": 9, "tokens": 1, "embeddings": 4, "positions": 4, "qkv": 9, "self_attention": 2, "residual": 17}
OFFERED |= {"masked_attention": 2, "cross_attention": 2, "output": 2}


@pytest.fixture
def view(checkpoint: Checkpoint) -> View:
    explanation = explain(checkpoint, "A </script> baker.", "Ein Bäcker.")
    return View(lambda: checkpoint, lambda: explanation, step=1, layer=1, head=2)


@pytest.mark.parametrize("name", OFFERED)
def test_every_page_offers_its_numbers(name: str, view: View) -> None:
    offered = list(downloads.tables(Page(name, view)))
    assert len(offered) == len({table.label for table in offered}) == len({table.file for table in offered}) == OFFERED[name]
    for table in offered:
        assert table.make().count(b"\r\n") > 2
        assert "[[" not in table.label


def test_the_numbers_are_of_the_layer_and_head_on_display(view: View) -> None:
    one = next(downloads.tables(Page("cross_attention", view)))
    assert (one.label, one.file) == ("Cross attention, layer 2, head 3", "cross-layer2-head3")
    assert one.make().splitlines()[1].startswith(b"2,3,1,")
    labels = [table.label for table in downloads.tables(Page("qkv", view))]
    assert labels[-1] == "Decoder, layer 2: cross_attn.v"


def data_of(file: str) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', file)
    assert found
    data: dict[str, Any] = json.loads(found[1])
    return data


def test_the_file_of_a_page_without_parts_holds_its_figures_and_they_stay(view: View) -> None:
    this = Page("why", view)
    this.drawn += [Drawn("figure", "lens", b"figure"), Drawn("html", "", "<table></table>")]
    (shown,) = data_of(downloads.page_file(this)().decode())["views"]
    assert [each["kind"] for each in shown["drawn"]] == ["figure", "html"]
    assert shown["limits"]["fixed"]["step"] == 1
    this.drawn.append(Drawn("part", "attention_view", b"payload"))
    (shown,) = data_of(downloads.page_file(this)().decode())["views"]
    assert [each["kind"] for each in shown["drawn"]] == ["part"], "what does not step would contradict what does"
