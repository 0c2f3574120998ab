"""What a page offers to take along is of what it shows, and its name cannot leave a folder. The numbers: tests/golden."""

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


@pytest.fixture
def view(checkpoint: Checkpoint) -> View:
    explanation = explain(checkpoint, "A </script> baker.", "Ein Bäcker.")
    return View(lambda: checkpoint, lambda: explanation, step=1, layer=1, head=2)


def test_the_numbers_are_of_the_layer_and_head_on_display(view: View) -> None:
    one = next(downloads.tables(Page("cross_attention", view)))
    assert (one.label, one.file) == ("Cross attention, layer 2, head 3", "cross-layer2-head3")
    assert one.make().splitlines()[1].startswith(b"2,3,1,")
    labels = [table.label for table in downloads.tables(Page("qkv", view))]
    assert labels[-1] == "Decoder, layer 2: cross_attn.v"
    every = [table.label for name in ("overview", "embeddings", "residual") for table in downloads.tables(Page(name, view))]
    assert len({*every}) == len(every) and not any("[[" in label for label in every)


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


@pytest.mark.parametrize(
    ("parts", "name"),
    [
        (["../../etc/passwd"], "etc-passwd"),
        (["cross", "Das Kätzchen: „schläft“?"], "cross-Das-Kätzchen-schläft"),
        (["a\x00b\\c|d\nCON."], "a-b-c-d-CON"),
        (["你好"], "你好"),
        (["</>"], "view"),
        (["x" * 300], "x" * 80),
    ],
)
def test_a_name_is_letters_and_digits(parts: list[str], name: str) -> None:
    assert downloads.file_name(*parts) == name
