"""Walks through all pages, in light and English and in the dark and Chinese, as the app and as a site gives them: of each page a
few views, and all that has to hold wherever one is; and the site shows what the app shows. The model computes otherwise than the
paper's in every respect, and the sentence is markup.
"""

import re
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from tests.e2e import bare
from tests.e2e.conftest import SIZE
from tests.e2e.driving import Source, open_at, query, turn_to
from tests.e2e.test_axe import OF_COLOURS, findings, moving, told, unnamed_figures, unseen_stops
from tests.e2e.test_chosen import told_by_colour
from tests.e2e.test_languages import HEARD, READ, chinese, english_in
from tests.e2e.test_sizes import CODE, REFLOW, faults, open_code
from tests.e2e.test_typeface import system_letters
from tests.pages.test_all_pages import NAMES
from tests.test_wording import WRONG

pytestmark = pytest.mark.e2e
SCRIPTS = (HEARD, Path(__file__).with_name("stage_text.js").read_text("utf-8"))
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
    "training": (["show=loss", "show=gradient"], ["show=guided"]),
    "heads": (["", "show=norm_weighted", "show=head_view"], ["show=ablation"]),
    "what_if": ([""], ["case=own"]),
    "compare": (["", "show=difference"], ["show=attention"]),
    "why": (["", "show=source_words"], ["show=rollout"]),
    "code": ([""], ["show=cost"]),
}
"""Of each page what the walk in English sees, and what the one in Chinese."""
WALKS = [("en", NAMES[:6]), ("en", NAMES[6:11]), ("en", NAMES[11:]), ("zh", NAMES[:10]), ("zh", NAMES[10:])]
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
  look(document.querySelector("[data-testid=stMain]") ?? document.body);
  return parts;
}"""
"""All that is written on the page, on canvases and in names for screen readers, too; paragraphs as a whole."""
SHOWN = """async () => {
  const PLACES = `[class*=st-key-_part_top_bar], .at-bar, .st-key-_page, .at-controls > .row,
    .at-below > :is([data-part$=arithmetic], [data-part=said])`;
  const UNSEEN = "style, option, [class*=_more_of], button:disabled, button:is(.lesson, .exercises)"; // a site has no “More”
  const WINDOW = /(source|target|rows|columns)? ?\\d+–\\d+ of \\d+ [↓→]( · )?|[\\d.]+ (ms|times)/g; // for want of room; measured
  const wordsOf = (text) => text.replace(WINDOW, "").split(/[\\s\\u200b]+/).filter((word) => word && !/^\\d+–\\d+$/.test(word));
  const [parts, paragraphs, words] = [[], [], []];
  const look = (root) => {
    for (const node of root.querySelectorAll("*")) {
      if (node.shadowRoot) look(node.shadowRoot);
      if (!node.checkVisibility() || node.closest(UNSEEN)) continue;
      for (const child of node.childNodes) if (child.nodeType === 3) words.push(...wordsOf(child.data));
      if (node.matches(".viz-part:not(.viz-prose)") && node.childElementCount)
        parts.push(`${node.className} of ${node.querySelectorAll("canvas, svg").length} pictures`);
      if (!["p", "li", "td", "th", "h2"].includes(node.localName)) continue;
      const copy = node.cloneNode(true);
      for (const formula of copy.querySelectorAll(".katex, .formula, .display, style")) formula.remove();
      paragraphs.push(wordsOf(copy.textContent).join(" "));
    }
  };
  for (const place of document.querySelectorAll(PLACES)) look(place);
  const { picture } = globalThis[Symbol.for("viz_core.store")];
  const drawn = new DOMParser().parseFromString((await picture?.svg()) ?? "<svg/>", "image/svg+xml");
  for (const { textContent } of drawn.querySelectorAll("text")) words.push(...wordsOf(textContent));
  return [parts, paragraphs, words];
}"""
"""The parts of the page with the number of their pictures, all paragraphs and cells, all words, also those of its picture; but for
what nobody can press, and talks, which are of another model.
"""
TRIES, DRAWN = 5, 300
"""How often it is looked, and ms between: a block opens in several frames."""
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


def goes_on(source: Source, before: list[str]) -> list[str]:
    """A step, a layer and a head on, where the browser draws what follows them: whether that changes nothing or asks for anything,
    and what is wrong in the narrowest window.
    """
    page = source.tab
    was = query(page)
    keys = {"step": "ArrowRight", "layer": "ArrowDown", "head": "]"}
    drawn = [key for what, key in keys.items() if what not in page.evaluate(FOLLOWED)]
    source.asked.clear()
    for key in drawn:
        page.keyboard.press(key)
    bare.frame(page)
    found = ["nothing changes"] * (bool(drawn) and page.evaluate(SEEN) == before)
    found += faults(page, REFLOW)
    found += ["the address stays"] * (bool(drawn) and query(page) == was)
    page.set_viewport_size(SIZE)
    return found + [f"asked for: {source.asked}"] * any(source.asked)


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
        found += unseen_stops(page, least=25 if name == NAMES[0] else 1)
    if name in WITH_CODE and page.locator(CODE).count():
        open_code(page)
        found += faults(page, (SIZE["width"], SIZE["height"])) + [f"not in the app's font: {text}" for text in system_letters(page)]
    within = {} if name in WITH_CODE else {"within": ".st-key-_page"}
    return found + unnamed_figures(page) + findings(page, **within) + moving(page)


def _is_short(word: str, known: list[str]) -> bool:
    """Whether it is one of these words, for want of room."""
    return word.endswith(".") and any(each.startswith(word[:-1]) for each in known)


def lacking(app: Source, site: Source) -> list[str]:
    """What the app shows and the site does not, or shows otherwise, once both have come to rest: parts with their pictures,
    paragraphs, and all words. Where the site says that it leaves something to the app, it may show less.
    """
    found: list[str] = []
    for _ in range(TRIES):
        (parts, said, words), (own, its, known) = (source.tab.evaluate(SHOWN) for source in (app, site))
        if site.left_out():
            parts, said, words = [part for part in parts if part in own], [], []
        found = [f"one of them lacks {part}" for part in {*parts} ^ {*own}]
        found += [f"the site lacks {text!r}" for text in said if text not in its]
        found += [f"the site lacks {word!r}" for word in {*words} - {*known} if not _is_short(word, known)]
        if not found:
            break
        site.tab.wait_for_timeout(DRAWN)
    return found


def walk(source: Source, name: str, view: str, language: str, *, first: bool, texts: dict[str, str]) -> list[str]:
    """What is wrong with a view that is open. texts: all that is written, and where, is added to it."""
    page, state = source.tab, f"{name}?{view}"
    assert query(page)["text"] == TYPED and page.locator("#typed").count() == 0, state
    before = page.evaluate(SEEN)
    found = [] if name in ELSEWHERE else untrue(before, language)
    texts |= dict.fromkeys(page.evaluate(READ), state)
    if first:
        found += unfit(page, name) if language == "en" else findings(page, *OF_COLOURS)
    if "head_view" in view:  # a frame with styles of its own
        found += [f"not in the app's font: {text}" for text in system_letters(page)]
    found += goes_on(source, before)
    return found + (on_the_wall(page, state) if first and language == "en" else [])


@pytest.mark.parametrize(("language", "names"), WALKS)
def test_every_page_is_true_fits_speaks_one_language_and_can_be_used_by_all(
    sources: list[Source], language: str, names: list[str]
) -> None:
    asked = f"{ASKED}&lang={language}"
    found: dict[str, list[str]] = {"console": []}
    texts: dict[str, str] = {}
    for source in sources:
        page = source.tab
        page.on("console", lambda said: found["console"].append(said.text) if said.type == "error" else None)
        page.goto("about:blank")  # a site reloads when the theme changes
        page.emulate_media(color_scheme="dark" if language == "zh" else "light")
        open_at(page, source.at(f"overview?{asked}"))
        assert page.locator("html").get_attribute("lang") == language
        expect(page.locator(".viz-top-bar [lang=de] [aria-current=step]")).to_have_count(1)
    for name in names:
        for number, view in enumerate(VIEWS[name][language == "zh"]):
            for source in sources:
                source.tab.evaluate("stage.forget()")
                turn_to(source.tab, source.at(f"{name}?{view}&{asked}"))
            found[f"both {name}?{view}"] = lacking(*sources)
            for source in sources:
                found[f"{'site' if source.is_site else 'app'} {name}?{view}"] = walk(
                    source, name, view, language, first=not number, texts=texts
                )
    found["texts"] = english_in(texts) if language == "zh" else [f"not English: {text}" for text in chinese([*texts])]
    assert not any(found.values()), told(found)
