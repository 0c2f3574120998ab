"""The bertviz views: each weight in its place, no more lines than a browser draws quickly."""

import hashlib
import json
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch

from pages.heads import bertviz
from pages.heads.bertviz import Name, document
from tests.app.test_html_file import Outline
from viz_core.checkpoint import Checkpoint
from viz_core.explain import Explanation, explain
from viz_core.figures.palette import LIGHT
from viz_core.trace import BLOCK

VIEWS = pytest.mark.parametrize("view", ["head_view", "model_view"])


def params(html: str) -> dict[str, Any]:
    """What bertviz draws."""
    return json.loads(Outline(html).scripts[0])["params"]


def weighted(explanation: Explanation, weights: Callable[[torch.Tensor], torch.Tensor]) -> Explanation:
    """The explanation with other attention weights."""
    sites = {site: weights(t) if site.endswith("attn.weights") else t for site, t in explanation.trace.items()}
    return replace(explanation, trace=replace(explanation.trace, tensors=sites))


@pytest.fixture(scope="module")
def explained(checkpoint: Checkpoint) -> Explanation:
    return explain(checkpoint, "My aunt carries two umbrellas.", "Ein Bäcker versteckt die alte Karte.")


@VIEWS
def test_bertviz_itself_would_draw_the_same(view: Name, explained: Explanation) -> None:
    """Queries are on the left, and every weight is that of the trace."""
    import bertviz as package

    source, target = explained.source.labels, explained.target.labels
    assert len(source) != len(target)
    places = {"encoder": "encoder.{}.self_attn", "decoder": "decoder.{}.self_attn", "cross": "decoder.{}.cross_attn"}
    tensors = {
        f"{name}_attention": [explained.trace[f"{place.format(layer)}.weights"] for layer in range(2)]
        for name, place in places.items()
    }
    html = getattr(package, view)(**tensors, encoder_tokens=source, decoder_tokens=target, html_action="return").data
    theirs = json.loads(re.findall(r"const params = (.*); // HACK", html)[0])
    text, _ = document(view, explained, LIGHT)
    ours = params(text)
    assert set(ours) == set(theirs) and "= PYTHON_PARAMS" not in text
    for mine, other in zip(ours["attention"], theirs["attention"], strict=True):
        assert (mine["left_text"], mine["right_text"]) == (other["left_text"], other["right_text"])
        np.testing.assert_allclose(mine["attn"], other["attn"], atol=0.0005 + 1e-7)


@VIEWS
def test_the_faintest_lines_of_too_many_are_left_out_and_reported(
    view: Name, explained: Explanation, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lines(html: str) -> list[int]:
        stacks = [np.array(each["attn"]) for each in params(html)["attention"]]
        return [int(np.count_nonzero(part)) for stack in stacks for part in (stack if view == "head_view" else [stack])]

    whole, height = document(view, explained, LIGHT)
    assert "rounded to 3 digits" in Outline(whole).words and "have no line either" not in Outline(whole).words
    most = max(lines(whole)) - 30
    monkeypatch.setattr(bertviz, "MOST_LINES", most)
    html, same = document(view, explained, LIGHT)
    assert most - 30 < max(lines(html)) <= most and same == height
    least = float(re.findall(r"Weights of up to (\S+) %", Outline(html).words)[0]) / 100
    for part, uncut in zip(params(html)["attention"], params(whole)["attention"], strict=True):
        weights = np.array(uncut["attn"])
        np.testing.assert_array_equal(part["attn"], np.where(weights > least + 1e-9, weights, 0))


@VIEWS
def test_what_is_not_a_number_is_reported_and_not_drawn(view: Name, explained: Explanation) -> None:
    html, _ = document(view, weighted(explained, lambda weights: weights * torch.nan), LIGHT)
    assert "not finite numbers" in Outline(html).words
    assert not any(np.any(each["attn"]) for each in params(html)["attention"])
    assert len(params(html)["attention"]) == len(BLOCK)


def test_the_libraries_are_those_that_were_published() -> None:
    table = re.findall(r"^\| `(\S+)` .* `(\w{64})` \|$", (bertviz.VENDOR / "README.md").read_text("utf-8"), re.MULTILINE)
    assert {name for name, _ in table} == {path.name for path in bertviz.VENDOR.glob("*.js")} != set()
    for name, digest in table:
        content = (bertviz.VENDOR / name).read_bytes()
        assert hashlib.sha256(content).hexdigest() == digest
        assert not re.search(rb"</script|<!--", content, re.IGNORECASE)
        assert (bertviz.VENDOR / f"{name.split('.')[0]}.LICENSE").read_text("utf-8").startswith("Copyright")
