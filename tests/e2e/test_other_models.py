"""What a page says is true of the model that it shows, also of one that computes otherwise than the paper's in every respect.

Such a model's pages are walked through, view by view. `WRONG` has the claims that are false of it.
"""

import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser

from tests.conftest import MakeModel
from tests.e2e.conftest import SIZE
from tests.e2e.driving import NAMES, open_at, turn_to, url_path
from tests.pages.test_odd_shapes import LEARNED, with_pieces
from tests.serving.started import app, until_well
from viz_core import checkpoint as checkpoints
from viz_core.params import Choice

pytestmark = pytest.mark.e2e
LETTERS = Path(__file__).with_name("stage_text.js")
TEXT = "My aunt hides two umbrellas."
WRONG: dict[str, dict[str, str]] = {
    "en": {
        "scaled": r"√ ?d(?!_k|_\{k|ₖ|k)|times √|\\sqrt\{d_\\text\{model|√16\b",
        "a fixed pattern": r"\bsines?\b|\bwaves?\b|\\sin\b|second hand|nothing in them is learned",
        "ReLU": r"ReLU|\bunits? (?:is|are) active|activates|\bunits active|of \d+ on\b|max\(0",
        "before the sub-layer": r"is normalized to y|applies it before|this model before each|LayerNorm\(x\)\)|y: x normalized",
        "one matrix": r"both languages|share one matrix|one matrix serves|times the embedding table|\bE\^|z = x \\cdot E",
        "the start": r"⟨s⟩",
        "the variance": r"\\sqrt\{\\sigma\^2|√\(σ² \+ ε\)",
    },
    "zh": {
        "scaled": r"√ ?d(?!_k|_\{k|ₖ|k)|\\sqrt\{d_\\text\{model|缩放后的行",
        "a fixed pattern": r"正弦|波形|\\sin\b|秒针",
        "ReLU": r"ReLU|激活了|个单元激活|\d 激活",
        "before the sub-layer": r"归一化为 y|LayerNorm\(x\)\)",
        "one matrix": r"两种语言|共用",
        "the start": r"⟨s⟩",
        "the variance": r"\\sqrt\{\\sigma\^2|√\(σ² \+ ε\)",
    },
}
"""Of a model whose embeddings are not scaled, with learned positions, GELU, post-norm, an output matrix of its own, a LayerNorm by
the standard deviation and ⟨pad⟩ as its start: language → what is claimed → how that reads."""
DENIED = re.compile(
    r"does not multiply|[Tt]he paper|such as|smoother than|no formula|cosine|Annotated|forgotten|[Pp]re-norm|"
    r"论文|例如|没有公式|余弦|不把|平滑|忘了"
)
"""What the other way is compared with, or one of several is named."""
ELSEWHERE = {"training", "compare"}
"""Pages that show models of their own."""
PAGES = {
    "en": [name for name in NAMES if name not in ELSEWHERE],
    "zh": ["overview", "embeddings", "positions", "residual", "masked_attention", "code"],
}
"""In Chinese those of which some text has another form for such a model; a text lacks none that English has."""
SEEN = """() => {
  const parts = [stage.text()];
  const look = (root) => {
    for (const node of root.querySelectorAll("*")) {
      if (node.shadowRoot) look(node.shadowRoot);
      if (!node.checkVisibility({ visibilityProperty: true })) continue;
      for (const name of ["title", "aria-label", "alt"]) if (node.getAttribute(name)) parts.push(node.getAttribute(name));
      if (node.localName === "annotation") parts.push(node.textContent); // a formula
      if (["p", "li", "td", "th", "h1", "h2", "summary", "button"].includes(node.localName)) parts.push(node.innerText);
    }
  };
  look(document.querySelector("[data-testid=stMain]"));
  return parts;
}"""
"""All that is written on the page, on canvases and in names for screen readers, too; paragraphs as a whole."""


@pytest.fixture(scope="module")
def address(make_model: MakeModel, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Of an app that has such a model."""
    folder = tmp_path_factory.mktemp("other")
    checkpoints.save(folder / "models" / "other", with_pieces(make_model, LEARNED))
    with app(folder, VIZ_CHECKPOINTS=str(folder / "models")) as (_, port):
        until_well(f"http://127.0.0.1:{port}")
        yield f"http://127.0.0.1:{port}"


def views(name: str) -> list[str]:
    """The views of a page, as parameters of an address."""
    controls = vars(import_module(f"pages.{name}.controls")) if Path(f"pages/{name}/controls.py").exists() else {}
    found = [""]
    for control in ("SHOW", "CASE", "SIDE", "REACH", "STACK"):
        choice = controls.get(control)
        if isinstance(choice, Choice):
            found += [f"&{choice.name}={option}" for option in choice.options[1:] if "view" not in option]
    return found


@pytest.mark.parametrize("language", WRONG)
def test_no_page_claims_what_is_false_of_the_model_that_it_shows(browser: Browser, address: str, language: str) -> None:
    tab = browser.new_context(viewport=SIZE, reduced_motion="reduce").new_page()
    tab.add_init_script(path=LETTERS)
    open_at(tab, f"{address}/?model=other&text={quote(TEXT)}&lang={language}")
    tab.add_style_tag(content=".viz-rail, .viz-rail * { visibility: hidden }")  # names of symbols are written there
    states = [f"{url_path(name)}?{view}" for name in PAGES[language] for view in views(name)]
    states += [f"?&open={block}" for block in ("embedding", "encoder_ffn", "encoder_qkv", "memory", "softmax", "ffn", "cross_out")]
    states += ["?&drawing=paper", "residual?&show=ffn&stack=decoder", "positions?&side=target&reach=all"]
    found: set[str] = set()
    for state in states:
        tab.evaluate("stage.forget()")
        turn_to(tab, f"{address}/{state}&model=other&text={quote(TEXT)}&lang={language}&layer=1&step=3")
        for part in tab.evaluate(SEEN):
            for claim, pattern in WRONG[language].items():
                if (match := re.search(pattern, part)) and not DENIED.search(part):
                    start = max(match.start() - 60, 0)
                    found.add(f"{state}: {claim}: …{part[start : match.end() + 60]!r}")
    tab.context.close()
    assert not found, "\n".join(sorted(found))
