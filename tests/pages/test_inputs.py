"""Tokens, embeddings, positions and the output, where golden numbers do not look: odd signs, full maps, learned positions, typed
targets.
"""

import unicodedata

import numpy as np
import pytest

from pages.embeddings.context import _same
from pages.embeddings.data import word_map
from pages.positions.compute import default_dims
from pages.positions.data import positions
from pages.tokens.compute import BLANK, block_of, blocks, merge_rows, mergeable_pairs
from tests.conftest import MakeModel, made
from tests.pages.test_all_pages import opened, view
from tests.plots import payloads, unpacked
from viz_core.analysis import embeddings
from viz_core.analysis.contexts import contexts, similarity, token_vectors
from viz_core.app.answers import answer
from viz_core.checkpoint import Checkpoint
from viz_core.explain import explain
from viz_core.figures.base import percent
from viz_core.texts import texts
from viz_core.tokenizer import BpeTokenizer, Tokenizer


@pytest.fixture(scope="module")
def small() -> Tokenizer:
    return BpeTokenizer.train(["▁low", "▁low", "▁lower", "▁newest", "▁newer", "ing", ".", ","] * 4, 400)


def test_bytes_are_below_the_character_that_they_spell(small: Tokenizer) -> None:
    (block,) = blocks(small.encode("Ж北", "en"), small)
    assert [(span.text, span.width) for span in block.letters] == [(BLANK, 1), ("Ж", 2), ("北", 3)]
    assert [token.text for token in block.tokens][1:] == ["⟨D0⟩", "⟨96⟩", "⟨E5⟩", "⟨8C⟩", "⟨97⟩"]
    assert [token.start for token in block.tokens] == list(range(6))
    assert block.word is not None and (block.word.start, block.word.width) == (1, 5)


def test_nothing_is_lost_of_any_unicode(small: Tokenizer) -> None:
    text = "a\0b ▁x é e\u0301 </script> 👨\u200d👩 $x$  *y*"
    tokenized = small.encode(text, "en")
    parts = blocks(tokenized, small)
    assert "".join(span.text for block in parts for span in block.letters if span.text != BLANK) == "".join(
        w.text for w in tokenized.words
    )
    assert [token.id for block in parts for token in block.tokens] == tokenized.ids


def test_merge_rows_go_from_letters_to_the_tokens_of_the_text(small: Tokenizer) -> None:
    parts = blocks(small.encode("low lowxnewest", "en"), small)
    assert [block_of(parts, at) for at in range(sum(len(block.tokens) for block in parts))] == [0, *[1] * len(parts[1].tokens)]
    merges = small.merges("lowxnewest", spaced=True)
    rows = merge_rows(small.letters("lowxnewest", spaced=True), merges)
    assert len(rows) == len(merges) + 1
    assert [(s.text, s.start, s.width) for s in rows[-1].tokens] == [(s.text, s.start, s.width) for s in parts[1].tokens]
    joined = rows[1].tokens[rows[1].joined or 0]
    assert joined.width == 2
    assert "".join(mergeable_pairs(merges[0])[0][:2]) == joined.text


@pytest.mark.parametrize("text", ["cafe\u0301", "x\u0323\u0301", "e\u0323\u0301"])
def test_a_mark_stands_on_its_letter(small: BpeTokenizer, text: str) -> None:
    (block,) = blocks(small.encode(text, "en"), small)
    letters = [letter.text for letter in block.letters if letter.text != "␣"]
    assert "".join(letters) == text
    assert letters[-1] == text[-len(letters[-1]) :]
    assert not any(unicodedata.combining(letter[0]) for letter in letters)
    assert block.letters[-1].start + block.letters[-1].width == block.tokens[-1].start + block.tokens[-1].width


def test_of_many_sentences_those_with_the_nearest_and_the_farthest_are_drawn(shipped: Checkpoint) -> None:
    here, at = explain(shipped, "I see a dog."), 3
    others = [f"{who} a dog." for who in ("We had", "He has", "She sold", "Buy", "Nobody is", "Tom saw", "Is it")]
    pool = contexts(shipped, [here.source.text, *others])
    cosines = similarity(pool, token_vectors(here.trace, at))
    drawn = _same(pool, here.source.tokens[at].id, cosines, here.source.text, False)
    ends = sorted((cosines[-1, i] for i in range(len(pool.ids)) if pool.label(i) == "dog"), reverse=True)[1:]  # not itself
    assert len(ends) == 7 and [each["cosines"][-1] for each in drawn] == [*ends[:3], *ends[-3:]]


def test_our_sentences_and_a_typed_one_are_compared() -> None:
    typed = "I saw a fly on <b>bread</b>."
    _, about = unpacked(answer("in_context", {"model": "en-de-tiny", "text": "There is a fly in my soup.", "second": typed}))
    token = about["tokens"][3]
    assert [other["text"] for other in token["others"] if other["typed"]] == [typed]
    assert len(token["others"]) > 1 and not token["missing"]
    _, about = unpacked(answer("in_context", {"model": "en-de-tiny", "text": "The zebra sleeps.", "second": "A cat."}))
    assert about["tokens"][1]["others"] == [] and about["tokens"][1]["missing"]


def test_a_token_without_room_on_the_map_is_nowhere(checkpoint: Checkpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    explanation = explain(checkpoint, " ".join("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKL0123456789.,!?"), "Ein Otter.")
    monkeypatch.setattr(embeddings.word_map, "__defaults__", (20,))
    ids = explanation.source.ids
    which = unpacked(word_map(checkpoint, explanation, "source"))[0]["which"]
    shown = list(dict.fromkeys(ids))[:20]
    assert [shown.index(token_id) if token_id in shown else -1 for token_id in ids] == [*which]
    assert -1 in which


@pytest.mark.parametrize("kind", ["learned", "interleaved"])
@pytest.mark.parametrize("side", ["source", "target"])
def test_all_positions_begin_with_those_of_the_sentence(make_model: MakeModel, tokenizer: Tokenizer, kind: str, side: str) -> None:
    checkpoint = made(make_model(positions=kind), tokenizer)
    explanation = explain(checkpoint, "A baker carries two umbrellas.")
    everywhere = positions(checkpoint, explanation, side, "all")
    added = explanation.trace.array(f"{side}.positions")
    np.testing.assert_array_equal(everywhere.rows[: len(added)], added)
    assert len(everywhere.rows) == checkpoint.config.max_len


@pytest.mark.parametrize("d_model", [2, 4, 8, 256])
def test_dimensions_to_start_with_exist(d_model: int) -> None:
    dims = default_dims(d_model)
    assert dims == sorted(set(dims))
    assert all(0 <= dim < d_model for dim in dims)


MARKUP = "</script><b>x</b> $y$"


def test_table_says_what_the_model_would_have_written() -> None:
    app = opened("output/page.py", text="The cat is sleeping.", target=f"Der {MARKUP} schläft.")
    (sent,) = payloads(app, "next_token_arithmetic")
    table, steps = unpacked(sent)[1]["table"], view(app).explanation.steps
    others = [step for step in steps if step.log_probs.argmax() != step.expected.id]
    for step in others:
        assert f"{percent(step.probability(int(step.log_probs.argmax())))}</td>" in table
    assert table.count(texts("output")["same"]) == len(steps) - len(others) > 0
    assert "</script><b>x" not in table and "<b>x" not in table
    assert table.count("<tr") == len(steps) + 2
