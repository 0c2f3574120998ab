"""A head that was made for a role is found to have it, and no other; the numbers are those that a plain loop or passes give."""

import dataclasses
import math
from collections.abc import Callable, Sequence

import numpy as np
import pytest

from tests.conftest import MakeModel
from viz_core.analysis.roles import measured, survey
from viz_core.analysis.roles.importance import bleu_drops, importance
from viz_core.analysis.roles.rule import assign
from viz_core.analysis.roles.survey import Tally
from viz_core.analysis.roles.table import NONE, SHARES
from viz_core.bleu import bleu
from viz_core.checkpoint import Checkpoint
from viz_core.config import BOS_ID, EOS_ID
from viz_core.decoding import translate
from viz_core.edits import Edits, Head, site_edits
from viz_core.explain import Explanation, explain, traced_pass
from viz_core.tokenizer.bpe import SPECIAL
from viz_core.trace import BLOCK, Array, Kind
from viz_core.words import Token, TokenizedText, Word

TEXTS = ["My aunt hides two umbrellas.", "A baker! A baker?", "The well-worn map, the map.", "x", "The otter paints a kettle."]
Target = Callable[[TokenizedText, int], Sequence[int]]
"""Where a hand-made head looks: tokenized and query → keys."""


def tokenized(*words: str) -> TokenizedText:
    """A sentence of these words, whose tokens are parted by a bar: `um|brel|las`."""
    tokens, found, at = [], [], 0
    for index, parts in enumerate(word.split("|") for word in words):
        found.append(Word("".join(parts), at, at + len("".join(parts))))
        for n, part in enumerate(parts):
            tokens.append(Token(300 + at, part, index, at, at + len(part), first=n == 0))
            at += len(part)
        at += 1
    return TokenizedText(" ".join(word.text for word in found), tuple(found), tuple(tokens))


def special(token_id: int, position: int) -> Token:
    return Token(token_id, SPECIAL[token_id], None, position, position)


def ended(sentence: TokenizedText) -> TokenizedText:
    return TokenizedText(sentence.text, sentence.words, (*sentence.tokens, special(EOS_ID, len(sentence.text))))


def begun(sentence: TokenizedText) -> TokenizedText:
    return TokenizedText(sentence.text, sentence.words, (special(BOS_ID, 0), *sentence.tokens))


def word_of(sentence: TokenizedText, at: int) -> str:
    word = sentence.tokens[at].word
    return "" if word is None else sentence.words[word].text.lower()


def alike(sentence: TokenizedText, at: int) -> list[int]:
    """The places of all tokens whose word has the same letters."""
    return [j for j in range(len(sentence)) if word_of(sentence, at).isalpha() and word_of(sentence, j) == word_of(sentence, at)]


def in_phrase(sentence: TokenizedText, at: int) -> list[int]:
    """From an article to the two words after it; where they are not yet read, from a word back to its article."""
    of = [-1 if token.word is None else token.word for token in sentence.tokens]
    article = [word.text.lower() in {"a", "an", "the"} for word in sentence.words]
    mark = [word.text in {",", "."} for word in sentence.words]
    if of[at] < 0 or mark[of[at]]:
        return []
    if sentence.tokens[0].id != BOS_ID:
        ahead = [of[at] + 1, of[at] + 2] if article[of[at]] else []
        return [j for j, word in enumerate(of) if word in ahead and not any(mark[ahead[0] : word + 1])]
    back = [] if article[of[at]] else [w for w in range(of[at] - 3, of[at]) if w >= 0 and article[w] and not any(mark[w : of[at]])]
    return [j for j, word in enumerate(of) if word in back[-1:]]


TARGETS: dict[str, Target] = {
    "self": lambda s, i: [i],
    "previous": lambda s, i: [i - 1],
    "next": lambda s, i: [i + 1],
    "first": lambda s, i: [0],
    "last": lambda s, i: [len(s) - 1],
    "punctuation": lambda s, i: [j for j in range(len(s)) if word_of(s, j) in {",", "."}],
    "word": lambda s, i: [j for j in alike(s, i) if s.tokens[j].word == s.tokens[i].word and j != i],
    "repetition": lambda s, i: [j for j in alike(s, i) if s.tokens[j].word != s.tokens[i].word],
    "article": in_phrase,
    "near": lambda s, i: [i - 1, i, i + 1],
    NONE: lambda s, i: range(len(s)),
}
SENTENCES = [
    tokenized("The", "um|brel|la", "and", "the", "ket|tle", "are", "on", "the", "roof", "."),
    tokenized("A", "dog", ",", "a", "cat", ",", "a", "mar|mot", "and", "two", "ot|ters", "sleep", "."),
    tokenized("The", "bak|er", "sees", "the", "nurse", ",", "who", "paints", "an", "um|brel|la", "."),
]


def made(kind: Kind, sentence: TokenizedText) -> Array:
    """A head for each target of this attention, (h, T, T); where there is nothing to look at, it looks everywhere."""
    rows = []
    for name in [*SHARES[kind], NONE]:
        head = np.zeros((len(sentence), len(sentence)), dtype=np.float32)
        for i in range(len(sentence)):
            may = range(i + 1) if kind == "masked" else range(len(sentence))
            keys = [j for j in TARGETS[name](sentence, i) if j in may] or list(may)
            head[i, keys] = 1 / len(keys)
        rows.append(head)
    return np.stack(rows)


def tallied(kind: Kind, texts: Sequence[TokenizedText], heads: Callable[[TokenizedText], Array], count: int) -> Tally:
    """The texts over and over, so often that all is seen often enough for a role."""
    tally = Tally(kind, (1, count), 40, "en")
    for at in range(30):
        text = texts[at % len(texts)]
        tally.add(at % len(texts), text, text, heads(text)[None])
    return tally


@pytest.mark.parametrize("kind", ["self", "masked"])
def test_a_head_made_for_a_role_has_it_and_equal_weights_have_none(kind: Kind) -> None:
    names = [*SHARES[kind], NONE]
    texts = [ended(s) if kind == "self" else begun(s) for s in SENTENCES]
    tally = tallied(kind, texts, lambda text: made(kind, text), len(names))
    measures = tally.measures()
    roles = assign(measures, SHARES[kind], (1, len(names)))[0]
    assert roles == tuple(names)
    for at, name in enumerate(names[:-1]):
        assert measures[name].values[0, at] == pytest.approx(1), name
        assert measures[name].values[0, -1] == pytest.approx(measures[name].uniform), name
    *cells, nothing = tally.evidence((roles,), {at: text.text for at, text in enumerate(texts)})[0]
    assert nothing is None
    for role, cell in zip(roles, cells, strict=False):
        assert cell
        assert cell.key in TARGETS[role](next(text for text in texts if text.text == cell.text), cell.query), role


def test_heads_of_cross_attention_agree_on_an_alignment_that_runs_backwards() -> None:
    source, output = (
        ended(tokenized("we", "see", "two", "um|brel|las", "there", ".")),
        ended(tokenized("Das", "sind", "ein|mal", "vier", "Schi|rme", ".")),
    )
    backwards = np.zeros((len(output), len(source)), dtype=np.float32)
    words = {0: [7], 1: [6], 2: [3, 4, 5], 3: [2], 4: [1], 5: [0]}
    for i, token in enumerate(output.tokens):
        keys = [len(source) - 1] if token.word is None else words[token.word]
        backwards[i, keys] = 1 / len(keys)
    ends, flat = np.zeros_like(backwards), np.full_like(backwards, 1 / len(source))
    ends[:, -1] = 1
    tally = Tally("cross", (1, 4), 40, "en")
    for at in range(30):
        tally.add(at, output, source, np.stack([backwards, backwards, ends, flat])[None])
    measures = tally.measures()
    assert assign(measures, SHARES["cross"], (1, 4)) == (("alignment", "alignment", "last", NONE),)
    assert measures["alignment"].values[0].tolist() == pytest.approx([1, 1, 0, 12 / 8 / 9], abs=1e-6)
    assert measures["alignment"].uniform == pytest.approx(12 / 8 / 9)
    assert measures["agreement"].values[0, :3].tolist() == [1, 1, 0]
    assert measures["agreement"].uniform == pytest.approx(1 / 7)
    assert measures["monotonicity"].values[0].tolist() == [0, 0, 0.5, 0.5]


def test_numbers_are_those_of_a_plain_loop_over_explanations(checkpoint: Checkpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(survey, "BATCH", 2)
    told: list[tuple[int, int | None]] = []
    table = measured(checkpoint, ["", *TEXTS, " "], lambda *now: told.append(now))  # blank ones are left out
    assert told == [(2, 5), (4, 5), (5, 5)]
    previous, bits, most, far, rows = 0.0, 0.0, 0.0, 0.0, 0
    for text in TEXTS:
        weights = explain(checkpoint, text).trace.attention("masked", 1).weights[3].astype(float)
        for i, row in enumerate(weights):
            if i > 0:  # the first has no choice
                entropy = -sum(p * math.log2(p) for p in row if p > 0)
                previous, bits, rows = previous + row[i - 1], bits + entropy, rows + 1
                most += entropy / math.log2(i + 1)
                far += sum(p * abs(i - j) for j, p in enumerate(row))
    measures = table.kinds["masked"].measures
    expected = {"previous": previous, "entropy": bits, "normalised_entropy": most, "distance": far}
    for name, total in expected.items():
        assert measures[name].values[1, 3] == pytest.approx(total / rows, rel=1e-4), name
        assert measures[name].count == rows
    assert (table.count, table.digest) == (5, checkpoint.digest)


def test_bleu_is_that_of_the_edited_model(checkpoint: Checkpoint) -> None:
    texts = TEXTS[2:3]
    whole = translate(checkpoint, texts)
    found = bleu_drops(checkpoint, texts, whole)
    assert found.whole == pytest.approx(100)
    edited = [explain(checkpoint, text, edits=Edits(heads={Head("masked", 1, 2)})).text for text in texts]
    expected = 100 - bleu(edited, [[text] for text in whole], checkpoint.target_language).score
    assert found.drops["masked"][1, 2] == pytest.approx(expected)
    assert max(drops.max() for drops in found.drops.values()) > 0


TEXT = "My aunt hides the well-worn map."
SEVERAL = Edits(no_scale=True, no_layer_norm=True, no_residual=True, heads={Head("cross", 0, 1)})


def written(checkpoint: Checkpoint, ex: Explanation, edits: Edits) -> np.ndarray:
    """The logarithm of the probability of each token, from a pass of its own."""
    trace = traced_pass(checkpoint, [ex.source.ids], [ex.target.ids], site_edits(edits, checkpoint.config))
    return trace.array("output.log_probs")[np.arange(len(ex.output)), [token.id for token in ex.output]].astype(np.float64)


@pytest.mark.parametrize(("norm", "cells", "edits"), [("pre", 1, Edits()), ("post", 60_000, SEVERAL), ("post", 1 << 24, Edits())])
def test_one_batch_is_as_many_passes(checkpoint: Checkpoint, make_model: MakeModel, norm: str, cells: int, edits: Edits) -> None:
    checkpoint = dataclasses.replace(checkpoint, model=make_model(norm=norm))
    ex = explain(checkpoint, TEXT, "Meine Tante versteckt die alte Karte.", edits)
    found = importance(checkpoint.model, ex, cells)
    np.testing.assert_allclose(found.log_probs, written(checkpoint, ex, edits), atol=2e-4, rtol=1e-5)
    for kind in BLOCK:
        assert found.without[kind].shape == (2, 4, len(ex.output))
        for layer in range(2):
            for head in range(4):
                one = dataclasses.replace(edits, heads=edits.heads | {Head(kind, layer, head)})
                alone = written(checkpoint, ex, one)
                np.testing.assert_allclose(found.without[kind][layer, head], alone, atol=2e-4, rtol=1e-5)
                assert found.drops(kind)[layer, head] == pytest.approx(found.log_probs.sum() - alone.sum(), abs=4e-3)
