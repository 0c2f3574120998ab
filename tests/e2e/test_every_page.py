"""Two walks through all pages, in light and English and in the dark and Chinese: of each page a few views, and all that has
to hold wherever one is. The model computes otherwise than the paper's in every respect, and the sentence is markup.
"""

import re
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from tests.e2e import bare
from tests.e2e.conftest import SIZE, hear
from tests.e2e.driving import Frames, open_at, query, turn_to, url_path
from tests.e2e.test_axe import OF_COLOURS, findings, moving, told, unnamed_figures, unseen_stops
from tests.e2e.test_chosen import told_by_colour
from tests.e2e.test_languages import HEARD, READ, chinese, english_in
from tests.e2e.test_sizes import REFLOW, faults, open_code
from tests.e2e.test_typeface import system_letters
from tests.pages.test_all_pages import NAMES
from tests.test_wording import WRONG

pytestmark = pytest.mark.e2e
LETTERS = Path(__file__).with_name("stage_text.js")
TYPED = "<img id=typed>*s* $x$ aunts."
ASKED = f"model=other&text={quote(TYPED)}&layer=1&step=3"
VIEWS: dict[str, tuple[list[str], list[str]]] = {
    "overview": (["", "open=embedding"], ["open=softmax"]),
    "tokens": ([""], [""]),
    "embeddings": (["", "show=map"], ["show=context"]),
    "positions": (["", "show=product"], ["side=target&reach=all"]),
    "qkv": ([""], ["kind=cross&role=v"]),
    "self_attention": ([""], [""]),
    "residual": (["show=norm", "show=ffn&stack=decoder"], [""]),
    "masked_attention": ([""], ["case=batch"]),
    "cross_attention": (["cell=3-2"], [""]),
    "output": ([""], ["axis=logit"]),
    "decoding": (["", "case=non_autoregressive"], ["case=copying"]),
    "training": (["", "show=gradient"], ["show=guided"]),
    "heads": (["", "show=norm_weighted", "show=head_view"], ["show=ablation"]),
    "what_if": ([""], ["case=own"]),
    "compare": (["", "show=difference"], ["show=attention"]),
    "why": (["", "show=source_words"], ["show=rollout"]),
    "code": ([""], ["show=cost"]),
}
"""Of each page what the walk in English sees, and what the one in Chinese."""
WALKS = [("en", NAMES[:9]), ("en", NAMES[9:]), ("zh", NAMES)]
"""So that processes can share the work."""
WITH_CODE = {"overview", "masked_attention", "training", "why"}
"""Pages on which the code is opened, too."""
ICON = re.compile(r"Positions waves|waves\nPositions")
"""The name of a symbol is its text."""
ELSEWHERE = {"training", "compare"}
"""Pages that show models of their own."""
DENIED = re.compile(
    r"does not multiply|[Tt]he paper|such as|smoother than|no formula|cosine|Annotated|forgotten|[Pp]re-norm"
    r"|论文|比 ReLU 平滑|词元共用"
)
"""What the other way is compared with, or one of several is named."""
FOR_A_READER = re.compile(r"\bclick|\bpress\b|\bpoint at\b|\btap\b|\blocked\b|← →|in the link", re.I)
PICKED = {  # of layer and head, which the top bar has on the wall
    **{f"{name}?": set[str]() for name in ("tokens", "embeddings", "positions", "output", "decoding", "what_if")},
    "residual?show=norm": {"layer"},
    "cross_attention?": {"layer", "head"},
}
FROM_THE_TOP = "document.activeElement.blur()"
FROM_THE_FIGURE = "document.querySelector('.st-key-_page').focus()"
"""Where Tab goes on from: what stands before the figure is the same on all pages."""
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
FOLLOWED = "() => globalThis[Symbol.for('viz_core.store')].drawn.follows"
"""What of the view asks for a run."""


def untrue(texts: list[str], language: str) -> list[str]:
    """What the page says and the model does not do."""
    found = []
    for text in (ICON.sub("", text) for text in texts):
        for claim, pattern in WRONG[language].items():
            if (match := re.search(pattern, text)) and not DENIED.search(text):
                found.append(f"{claim}: …{text[max(match.start() - 60, 0) : match.end() + 60]!r}")
    return found


def goes_on(page: Page, frames: Frames, before: list[str]) -> list[str]:
    """A step, a layer and a head on, where the browser draws what follows them: whether that changes nothing or asks the server for
    anything, and what is wrong in the narrowest window.
    """
    was = query(page)
    keys = {"step": "ArrowRight", "layer": "ArrowDown", "head": "]"}
    drawn = [key for what, key in keys.items() if what not in page.evaluate(FOLLOWED)]
    for heard in frames:
        heard.clear()
    for key in drawn:
        page.keyboard.press(key)
    bare.frame(page)
    found = ["nothing changes"] * (bool(drawn) and page.evaluate(SEEN) == before)
    found += faults(page, REFLOW)
    found += ["the address stays"] * (bool(drawn) and query(page) == was)
    page.set_viewport_size(SIZE)
    return found + [f"the server is asked: {frames}"] * any(frames)


def on_the_wall(page: Page, state: str) -> list[str]:
    """What the class reads, once the page is in lecture mode, and is for a reader alone; buttons that are missing, or too many."""
    page.evaluate("stage.forget()")
    page.keyboard.press("l")
    bare.frame(page)
    bare.frame(page)
    text = page.evaluate("stage.text()") + "".join(frame.evaluate("document.body.innerText") for frame in page.frames[1:])
    picked = {what for what in ("layer", "head") if page.locator(f".choice.{what}:visible").count()}
    found = [] if state.startswith("code") else [f"for a reader: {words}" for words in FOR_A_READER.findall(text)]
    return found + [f"buttons of {picked}"] * (PICKED.get(state, picked) != picked)


def unfit(page: Page, name: str) -> list[str]:
    """What is wrong with a page for eyes, without them, and, on the pages in turn, without colours or without a mouse."""
    found = faults(page, (SIZE["width"], SIZE["height"]))
    if NAMES.index(name) % 2:
        found += told_by_colour(page)
    else:
        page.evaluate(FROM_THE_TOP if name == NAMES[0] else FROM_THE_FIGURE)
        found += unseen_stops(page, least=31 if name == NAMES[0] else 1)
    if name in WITH_CODE:
        open_code(page)
        found += faults(page, (SIZE["width"], SIZE["height"])) + [f"not in the app's font: {text}" for text in system_letters(page)]
    within = {} if name in WITH_CODE else {"within": ".st-key-_page"}
    return found + unnamed_figures(page) + findings(page, **within) + moving(page)


@pytest.mark.parametrize(("language", "names"), WALKS)
def test_every_page_is_true_fits_speaks_one_language_and_can_be_used_by_all(
    fresh: Page, server: str, language: str, names: list[str]
) -> None:
    page = fresh
    frames: Frames = ([], [])
    page.on("websocket", lambda socket: hear(socket, frames))
    page.emulate_media(color_scheme="dark" if language == "zh" else "light")
    page.add_init_script(HEARD)
    page.add_init_script(path=LETTERS)
    asked = f"{ASKED}&lang={language}"
    open_at(page, f"{server}/?{asked}")
    assert page.locator("html").get_attribute("lang") == language
    expect(page.locator(".viz-top-bar [lang=de] [aria-current=step]")).to_have_count(1)
    found: dict[str, list[str]] = {}
    texts: dict[str, str] = {}
    for name in names:
        for number, view in enumerate(VIEWS[name][language == "zh"]):
            state = f"{name}?{view}"
            page.evaluate("stage.forget()")
            turn_to(page, f"{server}/{url_path(name)}?{view}&{asked}")
            assert query(page)["text"] == TYPED and page.locator("#typed").count() == 0, state
            before = page.evaluate(SEEN)
            here = found[state] = [] if name in ELSEWHERE else untrue(before, language)
            texts |= dict.fromkeys(page.evaluate(READ), state)
            if not number:
                here += unfit(page, name) if language == "en" else findings(page, *OF_COLOURS)
            if "head_view" in view:  # a frame with styles of its own
                here += [f"not in the app's font: {text}" for text in system_letters(page)]
            here += goes_on(page, frames, before)
            if not number and language == "en":
                here += on_the_wall(page, state)
    found["texts"] = english_in(texts) if language == "zh" else [f"not English: {text}" for text in chinese([*texts])]
    assert not any(found.values()), told(found)
