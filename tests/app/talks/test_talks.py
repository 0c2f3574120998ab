"""Talks: what is written is read back, what is wrong is reported with its line, and the rest of it plays."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from tests.app.talks.talk_claims import broken, on_the_wall, outside, percentages
from tests.pages.test_all_pages import NAMES
from viz_core.app import memory, session
from viz_core.app.talks import Talk, TalkView, available, dumps, find, library, load, loads, read_texts
from viz_core.app.talks.talk import Claim
from viz_core.checkpoint import Checkpoint

ROOT = Path(__file__).parents[3]
PAGES = ("overview", "tokens", "cross_attention", "output")
GOOD = """
title = "Short"
minutes = 4
about = "Two views."

[defaults]
text = "I love you."
step = 2

[[view]]
page = "overview"
title = "All of it"

[[view]]
page = "cross_attention"
title = "Where it looks"
caption = "One row for each German token."
minutes = 1
hide = "source"
layer = 3
head = 1
cell = "2-1"
temperature = 0.50
text = ""
note = '''
Two lines,
and a header:
[[view]]
page = "nowhere"
'''
claim = { query = 2, key = 1, about = 0.62 }
"""

HOSTILE = [
    'say "this"', "a \\ backslash, \\n and \\u0041 as typed", 'three \'\'\' and """ and ends with "',
    "line\nfeed\n[[view]]\npage = 1\n\n[[view]]", "tab\tbell\x07 nul\x00 del\x7f escape\x1b", "return\rand both\r\nhere",
    "]] # no comment", "👩🏽‍🏫 ⟨/s⟩ «Fahrrad» \u2028 \x85 \ufeff", "[[name]] {braces} %s",
]  # fmt: skip


def reported(text: str, pages: tuple[str, ...] | None = PAGES) -> tuple[Talk, dict[int, str]]:
    talk, problems = loads(text, "x", pages)
    return talk, {problem.line: problem.reason for problem in problems}


def test_a_file_becomes_links() -> None:
    talk, problems = loads(GOOD, "short", PAGES)
    assert problems == []
    assert (talk.name, talk.title, talk.minutes, talk.about) == ("short", "Short", 4, "Two views.")
    first, second = talk.views
    assert first.link() == {"text": "I love you.", "step": "2"}
    assert second.link() == {"step": "2", "layer": "3", "head": "1", "cell": "2-1", "temperature": "0.5", "predict": "source"}
    assert (first.caption, second.caption) == ("", "One row for each German token.")
    assert second.note.splitlines()[2] == "[[view]]"
    assert second.claims == ({"query": 2, "key": 1, "about": 0.62},)
    assert talk.starts() == [0, 3]


@pytest.mark.parametrize("text", HOSTILE)
def test_what_a_recorder_writes_is_read_back(text: str) -> None:
    parameters = {"text": text, "step": "3", "cell": "3-5", "temperature": "0.5", "which": "3"}
    view = TalkView("output", text, text, "word", 1.5, parameters, ({"read": text, "query": 3, "least": 0.6},), text, "next")
    view = replace(view, caption=" ".join(text.split()))
    for views in [(view,), (view, TalkView("tokens", "Next", parameters={"text": text})), (view, view)]:
        talk = Talk("x", text, 15, text, views)
        assert loads(dumps(talk), "x", PAGES) == (talk, [])


@pytest.mark.parametrize(
    ("wrong", "line", "said"),
    [
        ("page = tokens", 5, "not TOML: Invalid value"),
        ('page = "tokens"\nnote = """never closed', 6, "not TOML: Unterminated string"),
        ('page = "tokens"\nlist = ' + "[" * 5000, 4, "too deep"),
        ('title = "lost"', 4, "has no page"),
        ('page = "token"', 5, "there is no page «token»"),
        ('page = "../../app"', 5, "there is no page"),
    ],
)
def test_a_broken_view_is_left_out_and_the_rest_plays(wrong: str, line: int, said: str) -> None:
    last = '[[view]]\npage = "output"\ntitle = "Last"\nnote = """\nHi\n"""\n'
    talk, problems = reported(f'[[view]]\npage = "overview"\ntitle = "First"\n[[view]]\n{wrong}\n{last}')
    assert [view.title for view in talk.views] == ["First", "Last"]
    assert list(problems) == [line]
    assert said in problems[line]


@pytest.mark.parametrize(
    "wrong",
    [
        "step = 0", 'layer = "last"', "head = 2.5", "step = true", "step = 0x" + "F" * 5000, "head = -1", "cell = 3",
        'cell = "0-5"', "temperature = nan", "temperature = 99", 'hide = "all"', "minutes = -3", "minutes = inf", "note = 3",
        "note = 1979-05-27", "text = ['a']", "text.a.b.c = 1", 'text = "' + "x" * 10_001 + '"', "talk = 'other'",
        "predict = 'word'", "caption = 3", 'caption = "' + "x" * 91 + '"', 'caption = "two\\nlines"', '"no name" = 3', "claim = 3",
        "claim = [{ query = [3] }]", "[view.own]\nx = 1",
    ],
)  # fmt: skip
def test_a_wrong_entry_is_left_out_and_its_view_plays(wrong: str) -> None:
    talk, problems = reported(f'[[view]]\npage = "output"\ntitle = "Here"\n\n{wrong}\n')
    assert talk.views == (TalkView("output", "Here"),)
    assert list(problems) == [5]
    assert len(problems[5]) < 200


def test_what_is_wrong_at_the_top_is_reported() -> None:
    talk, problems = reported(
        'tilte = "A"\nminutes = "5"\n[defaults]\nlayer = "x"\n[[viwe]]\npage = "output"\n[[view]]\npage = "output"\n[defaults2]\n'
    )
    assert [problem.split(":")[0] for problem in problems.values()] == [
        "«tilte»", "«minutes»", "«layer»", "«viwe»", "view 1 has no title", "«defaults2»",
    ]  # fmt: skip
    assert list(problems) == [1, 2, 4, 5, 7, 9]
    assert [view.page for view in talk.views] == ["output"]


@pytest.mark.parametrize(
    ("content", "line", "said"),
    [
        (b"title = 'x'\n[[view]]\npage = '\xff'\n", 3, "not UTF-8: byte 0xFF"),
        ("title = 'x'".encode("utf-16")[:-1], 1, "not UTF-8"),
        (b"#" * 1_000_001, 0, "too large"),
        (b"", 0, "no view"),
        (b"[[view]]\n" * 600, 0, "no view"),
        (b"[a" + b".a" * 400_000 + b"]", 1, "dots in one line"),
    ],
)
def test_no_file_brings_it_down(tmp_path: Path, content: bytes, line: int, said: str) -> None:
    path = tmp_path / "odd.toml"
    path.write_bytes(content)
    talk, problems = load(path, PAGES)
    assert (talk.name, talk.views) == ("odd", ())
    assert any(problem.line == line and said in problem.reason for problem in problems)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_file_saved_elsewhere_is_read(tmp_path: Path, encoding: str) -> None:
    text = GOOD.replace("Short", "Grüße 你好")
    (tmp_path / "windows.toml").write_text(text, encoding, newline="\r\n")
    assert load(tmp_path / "windows.toml", PAGES) == (loads(text, "windows", PAGES)[0], [])


@pytest.mark.parametrize(
    "name", ["../secret", "..", "", ".", "a/b", "a\\b", "/etc/passwd", "x.toml", "a\x00", "ä", "x\n", "-", "link", "n" * 300]
)
def test_no_name_leads_out_of_the_folder(tmp_path: Path, name: str) -> None:
    talks = tmp_path / "talks"
    talks.mkdir()
    for path in (tmp_path / "secret.toml", talks / "good_one-2.toml", talks / "x.toml.toml"):
        path.write_text(GOOD)
    (talks / "link.toml").symlink_to(tmp_path / "secret.toml")
    assert find(name, talks) is None
    assert find("good_one-2", talks) == talks / "good_one-2.toml"
    assert available(talks) == ["good_one-2"]
    assert available(tmp_path / "none") == []


LESSON, EXERCISES = "first-lesson", "fifteen-exercises"
OURS = [(name, view) for name in available() for view in load(find(name) or Path())[0].views]
IN_CHINESE = {
    (name, view.key): (translation.get("note") or "")
    for name in available()
    for (_, view), translation in zip(
        [one for one in OURS if one[0] == name],
        read_texts(ROOT / "talks" / "zh" / f"{name}.toml")["view"],
        strict=True,
    )
}


@pytest.mark.parametrize("name", available())
def test_our_talks_have_no_problems_and_fill_their_time(name: str) -> None:
    pages = {path.parent.name for path in (ROOT / "pages").glob("*/page.py")}
    path = find(name)
    assert path is not None
    talk, problems = load(path, pages, library.parameters(NAMES))
    assert problems == []
    assert talk.minutes == sum(view.minutes or 0 for view in talk.views)
    assert loads(dumps(talk), name) == (talk, [])


@pytest.mark.parametrize(("name", "view"), OURS, ids=[f"{name}: {view.title}" for name, view in OURS])
def test_a_note_can_be_said_and_is_true(name: str, view: TalkView, shipped: Checkpoint) -> None:
    least, most = {LESSON: (25, 60), EXERCISES: (20, 35)}.get(name, (40, 110))
    assert least <= len(view.note.split()) <= most, f"{len(view.note.split())} words"
    lesson, exercises = name == LESSON, name == EXERCISES
    assert (bool(view.todo), bool(view.exercise), bool(view.caption)) == (lesson, exercises, not (lesson or exercises))
    is_asked = bool(re.search(r"press the key|[Rr]eveal\b|[Gg]uess first", view.note))
    assert lesson or exercises or is_asked == bool(view.hide), "what is guessed is hidden"
    assert len(view.title) <= 32
    for note in (view.note, IN_CHINESE[name, view.key]):
        assert set(re.findall(r"[\d.]+\s*%", note)) <= percentages(on_the_wall(view)), "a percentage that is not on the wall"
    assert not (view.hide == "source" and "cell" in view.parameters), "the locked cell gives the answer away"
    assert broken(shipped, view) == []
    assert outside(shipped, view) == []


@pytest.mark.parametrize(
    "claim",
    [
        {"query": 6, "key": 5, "read": "bicycle → new", "about": 0.95},
        {"query": 6, "key": 5, "read": "bicycle → a", "least": 0.1},
        {"query": 6, "key": 5, "heads": 40},
        {"back": -1, "least": 0.7},
        {"step": 8, "token": "gekauft", "most": 0.9},
        {"score_query": 6, "score_key": 5, "number": 41.8},
        {"site": "source.input", "row": 6, "number": 24.5},
        {"lens": 2, "step": 8, "token": "gekauft", "rank": 1},
        {"edits": "no_positions", "says": "Mein Bruder hat gestern ein neues Fahrrad gekauft."},
    ],
    ids=str,
)
def test_a_false_claim_is_found(claim: Claim, shipped: Checkpoint) -> None:
    parameters = {"text": "My brother bought a new bicycle yesterday.", "layer": "4", "head": "4"}
    assert broken(shipped, TalkView("self_attention", "Here", parameters=parameters, claims=(claim,))) != []


def test_of_many_talks_of_a_session_the_oldest_go_but_never_the_recorded_one(monkeypatch: pytest.MonkeyPatch) -> None:
    state: dict[str, dict[str, object]] = {}
    monkeypatch.setattr(session, "get", state.get)
    monkeypatch.setattr(session, "change", state.update)
    monkeypatch.setattr(memory, "TALKS", 40_000)
    for name in (library.RECORDED, "one", "two", "three"):
        library.own(Talk(name, name, about="x" * 10_000), [])
    assert [*state["_own_talks"]] == [library.RECORDED, "two", "three"]
