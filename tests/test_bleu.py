"""BLEU with several references."""

import pytest

from viz_core.bleu import bleu, score

GIVEN = ["der große Otter trägt einen grünen Kessel", "meine Tante versteckt zwei alte Karten"]


def test_each_reference_counts_and_sentences_may_have_unequally_many() -> None:
    references = [["ganz etwas anderes", GIVEN[0]], [GIVEN[1]]]
    result, signature = score(GIVEN, references, "de")
    assert result.score == pytest.approx(100)
    assert "nrefs:var" in signature
    assert bleu(GIVEN, [["ganz etwas anderes"], [GIVEN[1]]], "de").score < 90


def test_a_known_value() -> None:
    # 6 of 7 words, 4 of 6 pairs, 3 of 5 triples, 2 of 4 fours; equal lengths: no penalty
    result = bleu(["a b c d e f x"], [["a b c d e g f"]], "de")
    assert result.precisions == pytest.approx([100 * 6 / 7, 100 * 4 / 6, 100 * 3 / 5, 100 * 2 / 4])
    assert result.score == pytest.approx(100 * (6 / 7 * 4 / 6 * 3 / 5 * 2 / 4) ** 0.25)


def test_chinese_is_scored_by_its_characters() -> None:
    result, signature = score(["我今天没有面包。"], [["我今天有面包。"]], "zh")  # 13a would find one wrong word
    assert "tok:zh" in signature
    assert result.precisions[0] == pytest.approx(100 * 7 / 8)
    assert "tok:none" in score(["ein hut ."], [["ein hut ."]], "de", "none")[1]
