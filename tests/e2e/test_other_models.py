"""Every view as a model shows it that computes otherwise than the paper's in every respect: what is said of it is true, what was
typed stays text, and on the wall stands nothing that is for a reader alone.
"""

import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Page

from tests.conftest import MakeModel
from tests.e2e import bare
from tests.e2e.conftest import SIZE
from tests.e2e.driving import NAMES, open_at, query, turn_to, url_path
from tests.pages.test_odd_shapes import LEARNED, with_pieces
from tests.serving.started import app, until_well
from tests.test_wording import WRONG
from viz_core import checkpoint as checkpoints
from viz_core.params import Choice

pytestmark = pytest.mark.e2e
LETTERS = Path(__file__).with_name("stage_text.js")
TEXT = "<img id=typed>*s* $x$ aunts."
DENIED = re.compile(r"does not multiply|[Tt]he paper|such as|smoother than|no formula|cosine|Annotated|forgotten|[Pp]re-norm")
"""What the other way is compared with, or one of several is named."""
ELSEWHERE = {"training", "compare"}
"""Pages that show models of their own."""
FOR_A_READER = {
    "en": re.compile(r"\bclick|\bpress\b|\bpoint at\b|\btap\b|\blocked\b|← →|in the link", re.I),
    "zh": re.compile(r"← →|点击|单击|点按|锁定|指向一个"),
}
PICKED = {  # of layer and head, which the top bar has on the wall
    **{f"{name}?": set[str]() for name in ["tokens", "embeddings", "positions", "output", "decoding", "what_if"]},
    "residual?&show=norm": {"layer"},
    "cross_attention?": {"layer", "head"},
}
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
    choices = [controls.get(control) for control in ("SHOW", "CASE", "SIDE", "REACH", "STACK")]
    return ["", *(f"&{choice.name}={option}" for choice in choices if isinstance(choice, Choice) for option in choice.options[1:])]


def on_the_wall(tab: Page) -> str:
    """What the class reads once the page is in lecture mode, which is left again."""
    tab.evaluate("stage.forget()")
    tab.keyboard.press("l")
    bare.frame(tab)
    bare.frame(tab)
    text: str = tab.evaluate("stage.text()")
    text += "".join(frame.evaluate("document.body.innerText") for frame in tab.frames[1:])
    text += "".join(f" [{what}]" for what in ("layer", "head") if tab.locator(f".choice.{what}:visible").count())
    tab.keyboard.press("l")
    return text


def test_every_view_is_true_of_another_model_and_fit_for_the_wall(browser: Browser, address: str) -> None:
    tab = browser.new_context(viewport=SIZE, reduced_motion="reduce").new_page()
    tab.add_init_script(path=LETTERS)
    open_at(tab, f"{address}/?model=other&text={quote(TEXT)}")
    tab.add_style_tag(content=".viz-rail, .viz-rail * { visibility: hidden }")  # names of symbols are written there
    states = [f"{url_path(name)}?{view}" for name in NAMES for view in views(name)]
    states += [f"?&open={block}" for block in ("embedding", "encoder_ffn", "encoder_qkv", "memory", "softmax", "ffn", "cross_out")]
    states += [
        "?&drawing=paper",
        "residual?&show=ffn&stack=decoder",
        "positions?&side=target&reach=all",
        "cross_attention?&cell=3-2",
    ]
    found: set[str] = set()
    for state in states:
        tab.evaluate("stage.forget()")
        turn_to(tab, f"{address}/{state}&model=other&text={quote(TEXT)}&layer=1&step=3")
        assert query(tab)["text"] == TEXT and tab.locator("#typed").count() == 0, state
        for part in tab.evaluate(SEEN) if state.split("?")[0] not in ELSEWHERE else ():
            for claim, pattern in WRONG["en"].items():
                if (match := re.search(pattern, part)) and not DENIED.search(part):
                    start = max(match.start() - 60, 0)
                    found.add(f"{state}: {claim}: …{part[start : match.end() + 60]!r}")
        wall = on_the_wall(tab)
        if not state.startswith("code"):  # whose lines have taps
            found |= {f"{state}: for a reader: {words}" for words in FOR_A_READER["en"].findall(wall)}
        if state in PICKED and PICKED[state] != (picked := set(re.findall(r"\[(layer|head)\]", wall))):
            found.add(f"{state}: buttons of {picked}")
    tab.context.close()
    assert not found, "\n".join(sorted(found))
