"""The bertviz views: each weight in its place, nothing typed is markup, no more lines than a browser draws quickly."""

import hashlib
import json
import re
import subprocess
import sys
from collections.abc import Sequence
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pages.heads import bertviz, bertviz_scripts, bertviz_weights
from pages.heads.bertviz import BertvizDocument, head_view_html, model_view_html
from pages.heads.bertviz_weights import PassWeights
from viz_core.checkpoint import Checkpoint
from viz_core.explain import Explanation, explain
from viz_core.figures.attention import Floats
from viz_core.figures.palette import DARK
from viz_core.trace import BLOCK, Kind

VENDOR = Path(bertviz.__file__).parent / "vendor"
HOSTILE = ["</script><script>alert(1)</script>", "<!--", "\u2028", "\"'", "&lt;", "]]>", "[[token]]", "⟨s⟩"]
VIEWS = pytest.mark.parametrize("view", [head_view_html, model_view_html])


def attentions(explanation: Explanation) -> PassWeights:
    """All weights of the trace."""
    layers = range(explanation.trace.config.n_layers)
    weights = {kind: [explanation.trace.attention(kind, layer).weights for layer in layers] for kind in BLOCK}
    return PassWeights(weights, explanation.source.labels, explanation.target.labels)


def alike(layers: Sequence[Floats], source: Sequence[str], target: Sequence[str]) -> PassWeights:
    """The same weights in all three attentions."""
    return PassWeights(dict.fromkeys(BLOCK, layers), source, target)


def uniform(tokens: int) -> PassWeights:
    """4 layers of 8 heads with the same weight everywhere: as many lines as there can be."""
    names = [f"t{i}" for i in range(tokens)]
    return alike([np.full((8, tokens, tokens), 1 / tokens)] * 4, names, names)


class Reader(HTMLParser):
    """The elements of a document, the text of its scripts, and the rest of its text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.names: list[str] = []
        self.scripts: list[str] = []
        self.words = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.append(tag)
        if tag == "script":
            self.scripts.append("")
        assert not {"src", "href"} & {name for name, _ in attrs if not name.startswith("on")}

    def handle_data(self, data: str) -> None:
        if self.cdata_elem == "script":
            self.scripts[-1] += data
        elif self.cdata_elem is None:
            self.words += data


def payload(view: BertvizDocument) -> dict[str, Any]:
    """The data of a view."""
    return json.loads(Reader(view.html).scripts[0])


@pytest.fixture(scope="module")
def explained(checkpoint: Checkpoint) -> Explanation:
    return explain(checkpoint, "My aunt carries two umbrellas.", "Ein Bäcker versteckt die alte Karte.")


@VIEWS
def test_queries_are_on_the_left_and_every_weight_is_that_of_the_trace(view: Any, explained: Explanation) -> None:
    source, target = explained.source.labels, explained.target.labels
    assert len(source) != len(target)
    shown = {kind["name"]: kind for kind in payload(view(attentions(explained)))["params"]["attention"]}
    sides: dict[Kind, tuple[list[str], list[str]]] = {
        "self": (source, source),
        "masked": (target, target),
        "cross": (target, source),
    }
    assert list(shown) == list(sides)
    for kind, (queries, keys) in sides.items():
        assert (shown[kind]["left_text"], shown[kind]["right_text"]) == (queries, keys)
        for layer, heads in enumerate(shown[kind]["attn"]):
            weights = explained.trace.attention(kind, layer).weights
            np.testing.assert_allclose(np.array(heads) / 1000, weights, atol=0.0005 + 1e-7)


def test_bertviz_itself_would_draw_the_same(explained: Explanation) -> None:
    from bertviz import head_view

    seen = attentions(explained)
    tensors = {
        name: [explained.trace[f"{at}.weights"] for at in (where.format(layer) for layer in range(2))]
        for name, where in {
            "encoder_attention": "encoder.{}.self_attn",
            "decoder_attention": "decoder.{}.self_attn",
            "cross_attention": "decoder.{}.cross_attn",
        }.items()
    }
    html = head_view(**tensors, encoder_tokens=seen.source, decoder_tokens=seen.target, html_action="return").data
    theirs = json.loads(re.findall(r"const params = (.*); // HACK", html)[0])
    ours = payload(head_view_html(seen))["params"]
    assert set(ours) - set(theirs) == {"head_names"}
    for mine, other in zip(ours["attention"], theirs["attention"], strict=True):
        assert (mine["left_text"], mine["right_text"]) == (other["left_text"], other["right_text"])
        np.testing.assert_allclose(np.array(mine["attn"]) / 1000, other["attn"], atol=0.0005 + 1e-7)


@VIEWS
def test_typed_text_is_only_data(view: Any) -> None:
    seen = uniform(len(HOSTILE))
    hostile = view(PassWeights(seen.weights, HOSTILE, HOSTILE))
    found = Reader(hostile.html)
    assert found.names == Reader(view(seen).html).names
    assert "alert" not in found.words and "\u2028" not in hostile.html
    shown = payload(hostile)["params"]["attention"][2]
    assert shown["left_text"] == shown["right_text"] == ["⟨2028⟩" if token == "\u2028" else token for token in HOSTILE]


@VIEWS
def test_the_weights_are_there_once_and_the_text_is_the_same_each_time(view: Any, explained: Explanation) -> None:
    seen = attentions(explained)
    html = view(seen).html
    assert html == view(attentions(explained)).html
    assert html.count(json.dumps(seen.thousandths["cross"][1, 2].tolist(), separators=(",", ":"))) == 1
    assert "PYTHON_PARAMS" not in html and "cdnjs" not in html
    assert "rounded to 3 digits" in Reader(html).words


@VIEWS
def test_each_theme_has_its_colours(view: Any, explained: Explanation) -> None:
    seen = attentions(explained)
    light, dark = view(seen).html, view(seen, palette=DARK).html
    assert "color-scheme: light" in light and "color-scheme: dark" in dark
    assert f"--ink: {DARK.ink};" in dark and DARK.surface not in light


@pytest.mark.parametrize(("tokens", "pictures", "layer"), [(39, 1, 1), (40, 2, 1), (60, 4, 1), (90, 8, 2), (127, 12, 3)])
def test_more_than_a_browser_draws_at_once_comes_in_parts(tokens: int, pictures: int, layer: int) -> None:
    seen = uniform(tokens)
    for view, count in ((model_view_html, pictures), (head_view_html, layer)):
        parts = view(seen).parts
        assert len(parts) == count
        places = [(at, head) for part in parts for at in part.layers for head in part.heads]
        assert sorted(places) == [(at, head) for at in range(4) for head in range(8)]
        for part in parts:
            layers = 1 if view is head_view_html else len(part.layers)
            assert len(part.heads) * tokens**2 * layers <= bertviz_weights.MOST_LINES
        last = payload(view(seen, part=count - 1))["params"]["attention"][0]["attn"]
        assert np.shape(last)[:2] == (len(parts[-1].layers), len(parts[-1].heads))


def test_what_is_left_out_is_reported() -> None:
    seen = uniform(60)
    assert model_view_html(uniform(10)).note == ""
    last = model_view_html(seen, part=99)
    assert last.part == 3 and "layer 4 of 4, heads 1–8 of 8" in last.note
    assert last.note in Reader(last.html).words
    assert payload(last)["params"]["include_layers"] == [4]


@VIEWS
def test_what_is_not_a_number_is_reported_and_not_drawn(view: Any) -> None:
    html = view(alike([np.full((2, 3, 3), np.nan)], ["a"] * 3, ["b"] * 3)).html
    assert "not finite numbers" in Reader(html).words
    assert "not numbers" not in Reader(view(uniform(3)).html).words
    assert "[[0,0,0],[0,0,0],[0,0,0]]" in html


def test_weights_that_do_not_fit_the_tokens_are_refused() -> None:
    with pytest.raises(ValueError, match=r"self: expected 1 layers of shape \(2, 4, 4\), found \[\(2, 3, 4\)\]"):
        alike([np.ones((2, 3, 4))], ["a"] * 4, ["b"] * 3)


def test_the_libraries_are_those_that_were_published() -> None:
    table = re.findall(r"^\| `(\S+)` .* `(\w{64})` \|$", (VENDOR / "README.md").read_text("utf-8"), re.MULTILINE)
    assert {name for name, _ in table} == {path.name for path in VENDOR.glob("*.js")} != set()
    for name, digest in table:
        content = (VENDOR / name).read_bytes()
        assert hashlib.sha256(content).hexdigest() == digest
        assert not re.search(rb"</script|<!--", content, re.IGNORECASE)
        assert (VENDOR / f"{name.split('.')[0]}.LICENSE").read_text("utf-8").startswith("Copyright")


def test_another_version_of_bertviz_is_reported(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    class Spec:
        origin = str(tmp_path / "__init__.py")

    (tmp_path / "head_view.js").write_text("const params = 1;")
    monkeypatch.setattr(bertviz_scripts, "find_spec", lambda _: Spec)
    monkeypatch.setattr(bertviz_scripts, "scripts", bertviz_scripts.scripts.__wrapped__)
    with pytest.raises(ValueError, match=r"head_view\.js of bertviz has no .*requirements\.txt"):
        bertviz_scripts.scripts("head_view")


def test_a_view_imports_neither_torch_nor_bertviz() -> None:
    program = """
import sys
import numpy as np
from pages.heads.bertviz import head_view_html
from pages.heads.bertviz_weights import PassWeights
weights = dict.fromkeys(["self", "masked", "cross"], [np.ones((1, 1, 1))])
head_view_html(PassWeights(weights, ["a"], ["b"]))
print({"torch", "bertviz", "IPython", "transformers"} & set(sys.modules))
"""
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=Path(__file__).parents[3], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "set()"
