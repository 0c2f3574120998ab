"""Non-autoregressive decoding: what its table marks, what its page says, and the stored quality. Its numbers: tests/golden."""

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from pages.decoding.mask_predict_figures import PassCell, passes_table
from pages.decoding.non_autoregressive_compute import mask_predict_all_lengths, most_likely_repetition, repetition_risk
from tests.conftest import made
from tests.pages.test_all_pages import ROOT, opened, words
from viz_core import checkpoint as checkpoints
from viz_core.analysis import mask_predict_quality
from viz_core.checkpoint import Checkpoint
from viz_core.cli import main
from viz_core.model import Transformer
from viz_core.tokenizer import Tokenizer

PAGE = "decoding/page.py"
TEXT, SHORT = "My brother bought a new bicycle yesterday.", "A baker carries two umbrellas."
arrived = partial(opened, PAGE, text=TEXT, case="non_autoregressive")


def table_html(app: AppTest) -> str:
    """The table of passes, which marks the step's."""
    return next(each.proto.body for each in app.get("html") if "filling" in each.proto.body)


def highlighted(html: str, step: int) -> list[int]:
    """Indices of the rows that the table's own style sheet highlights at a step."""
    rows = len(re.findall(r"<tr[^>]*><th scope=.row.", html))
    named = {int(at): int(row) - 1 for at, row in re.findall(r'html\[data-step="(\d+)"\] \S+ tbody > :nth-child\((\d+)\)', html)}
    beyond = re.search(r"html((?::not\([^)]*\))*) \S+ tbody > :last-child", html)
    last = beyond is not None and step not in {int(at) for at in re.findall(r"\d+", beyond[1] or "")}
    return [*([named[step]] if step in named else []), *([rows - 1] if last else [])]


def test_the_plain_decoder_says_whether_it_has_come_to_greedys_sentence() -> None:
    for passes, said in (("10", "**is** greedy"), ("1", "More passes bring the rest")):
        assert said in words(arrived(decoder="plain", passes=passes, text="I love you."))


def test_the_step_highlights_its_pass_beyond_the_last_pass_the_last_and_what_was_masked_is_marked() -> None:
    app = arrived(passes="3")
    found = table_html(app)
    assert [highlighted(found, step) for step in range(5)] == [[0], [1], [2], [2], [2]]
    assert [highlighted(table_html(arrived(passes="1")), step) for step in (0, 3)] == [[0], [0]]
    best = mask_predict_all_lengths(checkpoints.load(ROOT / "checkpoints" / "en-de-masked", "masked"), TEXT, 3, None)[0]
    marks = [mark == "hidden" or mark.startswith("hidden ") for mark in re.findall(r'<td class="([^"]*)"', found)]
    assert marks == [hidden for each in best.passes for hidden in each.hidden]


def test_no_length_is_beyond_what_the_model_has(filler: Checkpoint) -> None:
    assert len(mask_predict_all_lengths(filler, SHORT, 1, 10_000)[0].ids) == filler.config.max_len - 1


def test_a_cell_has_its_marks_and_typed_text_is_escaped() -> None:
    cells = [PassCell("<b>", 0.25, True, False, False), PassCell("a", 1.0, False, True, True)]
    html = passes_table([("pass 1", "2 of 2", cells)], {"hidden": "H", "other": "O", "twin": "T"}, position="position")
    assert "&lt;b&gt;</b>25 %" in html
    assert 'class="hidden"' in html and 'class="other twin"' in html
    assert all(f"</span> {word}</i>" in html for word in "HOT")
    assert "</span> T</i>" not in passes_table([("pass 1", "", cells[:1])], {"twin": "T"}, position="position")


def test_rivals_are_the_pair_that_is_most_likely_to_be_the_same() -> None:
    first = np.log(np.array([[0.6, 0.3, 0.1], [0.1, 0.5, 0.4], [0.2, 0.1, 0.7]]))
    assert most_likely_repetition(first) == 1
    found = repetition_risk(first, 1)
    assert found.token == 2
    assert [found.first, found.second] == pytest.approx([0.4, 0.7])
    assert found.both == pytest.approx(0.28)
    assert repetition_risk(first, 0).token == 1


@pytest.fixture(scope="module")
def folder(make_model: Callable[..., Transformer], tokenizer: Tokenizer, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small checkpoint with a masked decoder."""
    folder = tmp_path_factory.mktemp("at_once") / "filler"
    checkpoints.save(folder, made(make_model(decoder="masked"), tokenizer))
    return folder


@pytest.fixture(scope="module")
def filler(folder: Path) -> Checkpoint:
    return checkpoints.load(folder, "masked")


def test_the_command_line_measures_and_stores(
    folder: Path, filler: Checkpoint, checkpoint_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pairs = tmp_path / "pairs.tsv"
    pairs.write_text(f"{SHORT}\tEin Bäcker trägt zwei Regenschirme.\n")
    assert main(["passes", "--checkpoint", str(folder), "--beside", str(checkpoint_folder), "--pairs", str(pairs)]) == 0
    found = mask_predict_quality.read(folder, filler)
    assert found is not None
    assert (list(found.passes), found.name, found.sentences) == ([1, 2, 4, 10], "tiny", 1)
    expected = mask_predict_quality.quality(filler, [SHORT], [["Ein Bäcker trägt zwei Regenschirme."]], iterations=2)
    assert found.passes[2] == expected
    other: Any = SimpleNamespace(digest="0" * 64)
    assert mask_predict_quality.read(folder, other) is None
    assert mask_predict_quality.read(tmp_path, filler) is None
