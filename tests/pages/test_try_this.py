"""Try this: each entry asks, says what to look at and answers; what its answer says of the numbers is measured again."""

import json
from collections.abc import Mapping
from html import unescape

import pytest
from streamlit.testing.v1 import AppTest
from torch import Tensor

from tests.app.talks.talk_claims import broken
from tests.foot import ask, links, parts, press, tried
from tests.pages.test_all_pages import FILES, NAMES, ROOT, opened, view, visited, words
from tests.plots import answered, told, unpacked
from viz_core.analysis.cost import part_costs
from viz_core.app.chosen import DEFAULT_MODEL, DEFAULT_TEXT
from viz_core.app.markup import number
from viz_core.app.talks import TalkView
from viz_core.app.try_this import measured_on
from viz_core.checkpoint import Checkpoint, load
from viz_core.decoding.beam import beam_search
from viz_core.decoding.copying import copy_greedy, read
from viz_core.decoding.translate import translate
from viz_core.edits import Edits
from viz_core.explain import explain
from viz_core.model import Transformer
from viz_core.params import WALKED
from viz_core.texts import fill, texts

ENTRIES = [(name, i) for name in NAMES for i in range(len(texts(name)["try"]))]
CLAIMED = [(name, i) for name, i in ENTRIES if "claim" in texts(name)["try"][i]]
LABEL, LOOK, ANSWER = 60, 25, 40
"""A label fits its button: characters. What to look at, and the answer: words."""
CHECKPOINTS = ROOT / "checkpoints"
OTHERWISE = ("edited", "beam", "copied", "filled")
"""Claims beside those of the talks: what the entry's edited model writes, a beam of 4 with α = 0.6, the model with copying, and
en-de-masked in 4 passes."""


ON_THE_PAGE = {
    ("code", 1): ("1,528", "0.56 %"),
    ("code", 2): ("13 percentage points", "at step 1.", "2.828 times"),
    ("code", 3): ("0.030 %", "9.148", "8.987"),
    ("compare", 0): ("12 such pairs", "in **0**"),
    ("decoding", 3): ("10 draws: **9**", "greedy's sentence: **0**"),
    ("decoding", 4): ("10 draws: **6**", "greedy's sentence: **3**"),
    ("decoding", 5): ("40 sentences", "**14** keep", "**0** without"),
    ("training", 3): ("7.234", "13.32"),
    ("training", 4): ("from 0.256 to **0.098**", "9,421,824"),
    ("training", 5): ("from 5.705 to 8.453",),
    ("training", 6): ("10.39", "7.234"),
}
"""What else the answers say: the page shows it after the press."""


def arithmetic(app: AppTest) -> str:
    """What stands below the figure, as the browser gets it, and as it writes it where it is."""
    protos = [part.proto for part in app.get("bidi_component")]
    sent = "".join(json.dumps(unpacked(each.bytes)[1]) for each in protos if each.component_name.endswith("_arithmetic"))
    view = app.session_state["_view"]
    for _, about in answered(app, "sampled_sentences"):
        greedy, *draws = ("".join(word for word, *_ in line["words"]) for line in about["lines"])
        sent += f"10 draws: **{len({*draws})}** greedy's sentence: **{draws.count(greedy)}**"
    for arrays, _ in answered(app, "cost"):
        _, weights, pairs = arrays["costs"].sum(0)
        a, b = (sum(getattr(one, name) for one in part_costs(view.checkpoint.config, 1, 1)) for name in ("projected", "paired"))
        sent += f"{pairs / (weights + pairs):.2%} {a / b:,.0f}".replace("%", " %")
    losses = [arrays[name] for arrays, _ in answered(app, "sentence_loss") for name in ("forced", "mixed")]
    numbers = [number(float(loss)) for each in losses for loss in (*each, each.sum())]
    return sent + told(app, **{name: getattr(view, name) for name in WALKED}) + " ".join(numbers)


def test_each_entry_asks_says_where_to_look_and_answers_and_no_question_is_asked_twice() -> None:
    entries = [texts(name)["try"][at] for name, at in ENTRIES]
    for entry in entries:
        assert entry["label"].endswith("?") and len(entry["label"]) <= LABEL, entry
        assert entry["look"][-1] in ".?" and len(entry["look"].split()) <= LOOK, entry
        assert entry["answer"].endswith(".") and len(entry["answer"].split()) <= ANSWER, entry
    assert len({entry["label"] for entry in entries}) == len(entries)


@pytest.mark.parametrize(("name", "at"), CLAIMED)
def test_what_an_answer_claims_is_measured(name: str, at: int, shipped: Checkpoint) -> None:
    entry = texts(name)["try"][at]
    set_ = {key: value for key, value in entry["set"].items() if value != "last"}
    parameters = {key: str(value) for key, value in ({"text": DEFAULT_TEXT, "step": 1, "layer": 1, "head": 1} | set_).items()}
    wrong = []
    for claim in entry["claim"]:
        if how := next((each for each in OTHERWISE if each in claim), None):
            wrote = _other_output(shipped, parameters, how)
            wrong += [] if wrote == claim[how] else [f"{claim}: it says «{wrote}»"]
        else:
            trained = {key: value for key, value in parameters.items() if key != "edits"}  # of the other side: OTHERWISE
            named = trained | ({"model": str(claim["model"])} if "model" in claim else {})
            wrong += broken(shipped, TalkView(name, entry["label"], parameters=named, claims=(claim,)))
    assert not wrong


def _other_output(shipped: Checkpoint, parameters: Mapping[str, str], how: str) -> str:
    """What is written otherwise than greedily by the model as trained, see OTHERWISE."""
    if how == "edited":
        link = fill(parameters["edits"], {"layers": shipped.config.n_layers, "heads": shipped.config.n_heads})
        return explain(shipped, parameters["text"], edits=Edits.from_link(link)[0]).text
    masked = load(CHECKPOINTS / "en-de-masked", decoder="masked") if how == "filled" else shipped
    search = {"beam": _beam, "copied": _copied}.get(how)
    (wrote,) = translate(masked, [parameters["text"]], iterations=4, search=search)
    return wrote


def _beam(model: Transformer, source: Tensor, steps: int) -> list[list[int]]:
    return [list(found[0].tokens) for found in beam_search(model, source, 4, steps, 0.6)]


def _copied(model: Transformer, source: Tensor, steps: int) -> list[list[int]]:
    pointer = read(CHECKPOINTS / DEFAULT_MODEL, load(CHECKPOINTS / DEFAULT_MODEL))
    assert pointer
    return copy_greedy(model, pointer, source, steps)


@pytest.mark.parametrize("name", dict.fromkeys(name for name, _ in ON_THE_PAGE))
def test_a_press_shows_the_question_and_the_numbers_of_its_answer(name: str) -> None:
    app = opened(FILES[NAMES.index(name)])
    assert not tried(app)
    for at in (at for page, at in ON_THE_PAGE if page == name):
        entry = texts(name)["try"][at]
        if view(app).checkpoint.name != measured_on(entry):
            visited(app, model=measured_on(entry))
        press(app, f"try_{name}_{at}")
        (shown_entry,) = tried(app)
        assert {name: shown_entry[name] for name in ("label", "look", "answer")}.items() <= entry.items()
        shown = unescape(words(app)) + unescape(arithmetic(app))
        assert [part for part in ON_THE_PAGE[name, at] if part not in shown] == [], at


def test_it_shows_the_model_that_was_measured_and_goes_when_it_is_closed_or_something_else_is_asked_for() -> None:
    app = opened("self_attention/page.py", model="en-de-small", edits="no_positions", everywhere="on")
    for changes in ({}, {"text": "I love you."}, {"model": "en-de-tiny"}):
        press(app, "try_self_attention_0")
        assert tried(app) and view(app).checkpoint.name == DEFAULT_MODEL and not view(app).explanation.edits
        if changes:
            ask(app, **changes)
        else:
            press(app, "tried_close")
        assert not tried(app), changes


def test_a_model_has_its_own_questions_or_those_of_the_first_one() -> None:
    entries = texts("cross_attention")["try"]
    for model in (*{measured_on(entry) for entry in entries}, "en-de-tiny"):
        app = opened("cross_attention/page.py", model=model)
        shown = [entries[int(key.rsplit("_", 1)[1])] for key in links(app) if key.startswith("try_cross")]
        wanted = DEFAULT_MODEL if model == "en-de-tiny" else model
        assert shown == [entry for entry in entries if measured_on(entry) == wanted]
        assert shown
        said = fill(texts("app.frame")["try_with"], {"model": DEFAULT_MODEL})
        assert [each["note"] for each in parts(app, "try_this")] == [said if model == "en-de-tiny" else ""]
