"""Our talks on stage: all text can be read, and none answers a question too early.

The title stays where it is from one view to the next. Of views that differ in sentence, step, layer, head or cell alone the first
is looked at. That no view answers what a later one asks is computed for all of them in `tests/app/talks/test_talks.py`.
"""

import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.app.talks.talk_claims import explained, revealed
from tests.e2e.driving import Source, settle, turn_to
from viz_core.app.talks import TalkView, find, load
from viz_core.checkpoint import Checkpoint

pytestmark = pytest.mark.e2e
LETTERS = Path(__file__).with_name("stage_text.js")
LEAST, RAISED = 18, 12
"""px of a letter, and of one that is raised or lowered, in a window of 1280 × 720; all letters grow with it."""
DRAWN = 400
"""ms after which a picture has followed the window."""
ARRIVED = "number => (new URLSearchParams(location.search).get('at') ?? '1') === number && location.search.includes('text=')"
TITLE = "() => { const { left, top } = document.querySelector('h1').getBoundingClientRect(); return [left, top].map(Math.round); }"
ALIKE = {"text", "target", "second", "step", "layer", "head", "cell", "token", "edits", "model", "snapshot", "case"}
"""Parameters in which views may differ and still look alike."""


TALKS = ("twelve-steps", "what-heads-do", "how-it-learned", "three-languages")
RUNS = [("app", TALKS[:1]), ("app", TALKS[1:]), ("site", TALKS[:1])]


def look(view: TalkView) -> tuple[object, ...]:
    """What views that look alike have in common."""
    return view.page, tuple(sorted((name, value) for name, value in view.parameters.items() if name not in ALIKE))


def views_of(name: str) -> Sequence[TalkView]:
    return load(find(name) or Path())[0].views


def different(name: str) -> list[int]:
    """The numbers, from 1, of the views of a talk that look as none before, in any talk."""
    seen = {look(view) for each in TALKS[: TALKS.index(name)] for view in views_of(each)}
    found = []
    for number, view in enumerate(views_of(name), 1):
        if look(view) not in seen:
            found.append(number)
        seen.add(look(view))
    return found


@pytest.mark.parametrize(("anew", "names"), RUNS, indirect=["anew"], ids=["first", "then", "site"])
def test_all_text_on_stage_can_be_read_and_none_answers_a_question(anew: Source, names: Sequence[str], shipped: Checkpoint) -> None:
    page = anew.tab
    page.evaluate(LETTERS.read_text("utf-8"))
    found: dict[str, list[str]] = {}
    titles: set[tuple[int, ...]] = set()
    for name in names:
        seen: dict[str, str] = {}  # sentence → all that was on stage while it was shown
        anew.turn(f"?talk={name}&lecture=on")
        page.wait_for_function("document.documentElement.hasAttribute('data-asleep')")  # without buttons
        for number in different(name):
            view = views_of(name)[number - 1]
            page.evaluate("stage.forget()")
            page.evaluate("at => globalThis[Symbol.for('viz_core.store')].turn(at)", number - 1)
            page.wait_for_function(ARRIVED, arg=str(number))
            settle(page)
            titles.add(tuple(page.evaluate(TITLE)))
            if wrong := page.evaluate(f"stage.unreadable({LEAST}, {RAISED})"):
                found[f"{name}, {number} {view.title}"] = wrong
            on_wall, text = page.evaluate("stage.text()"), view.parameters["text"]
            seen[text] = f"{seen.get(text, '')} {on_wall}"
            answers = [answer for answer in revealed(view) if view.hide in ("right", "figure") and answer in on_wall]
            if view.hide == "word":
                answer = explained(shipped, view).output[int(view.parameters["step"]) - 1].label
                answers += re.findall(rf"(?<!\w){re.escape(answer)}(?!\w)", seen[text])
            assert not answers, f"{name}, {number} {view.title}"
    assert not found
    assert len(titles) == 1


def test_a_figure_goes_down_to_the_foot_which_says_what_the_keys_walk_along(kept: Page, server: str) -> None:
    turn_to(kept, f"{server}/heads?lecture=on")
    figure, foot = kept.locator(".viz-head-roles"), kept.locator(".viz-bar .step")
    expect(figure.locator("canvas")).to_be_visible()
    settle(kept)
    plot, line = figure.bounding_box(), foot.bounding_box()
    assert plot and line
    assert line["y"] - 40 <= plot["y"] + plot["height"] <= line["y"] + 2
    expect(foot).to_have_text("step 1 of 8", use_inner_text=True)
    kept.evaluate("""() => {
      const store = globalThis[Symbol.for("viz_core.store")];
      store.limits = { ...store.limits, walks: "token" };
      store.repaint();
    }""")
    expect(foot).to_have_text(re.compile("^token . of 9$"), use_inner_text=True)


def test_a_page_that_goes_on_below_the_stage_says_so_until_one_has_scrolled_there(kept: Page, server: str) -> None:
    main = kept.locator("[data-testid=stMain]")
    sign = "node => getComputedStyle(node, '::after').opacity"
    turn_to(kept, f"{server}/cross_attention?lecture=on")
    assert main.evaluate(sign) == "0"
    turn_to(kept, f"{server}/code?lecture=on&call=20")
    assert main.evaluate(sign) == "1"
    buttons, bar = kept.locator(".st-key-_walk_steps").bounding_box(), kept.locator(".st-key-_part_top_bar").bounding_box()
    assert buttons and bar and buttons["y"] >= bar["y"] + bar["height"]
    main.evaluate("node => node.scrollTo(0, node.scrollHeight)")
    kept.wait_for_timeout(DRAWN)
    assert main.evaluate(sign) == "0"


def test_what_bertviz_draws_grows_with_the_wall(kept: Page, server: str) -> None:
    kept.set_viewport_size({"width": 1920, "height": 1080})
    turn_to(kept, f"{server}/heads?show=head_view&lecture=on")
    frame = kept.locator("iframe")
    whole = frame.bounding_box()
    assert whole and whole["height"] == pytest.approx(1.5 * frame.evaluate("node => node.contentWindow.innerHeight"), rel=0.02)
