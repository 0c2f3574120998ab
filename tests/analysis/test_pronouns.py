"""What "it" means: our pairs, and what a model makes of them, against one pass for each sentence."""

import numpy as np
import pytest

from viz_core.analysis.pronouns import LEAST, Schema, most_changed_head, readings, schema_of, schemas
from viz_core.analysis.words import groups
from viz_core.checkpoint import Checkpoint
from viz_core.explain import explain


def test_every_pair_of_ours_names_its_nouns_and_needs_two_genders() -> None:
    assert len(schemas()) == 12
    for schema in schemas():
        first, second = schema.sentences
        assert first.replace(schema.words[0], schema.words[1]) == second
        assert all(noun in first.split() for noun in schema.nouns)
        assert len(set(schema.pronouns)) == 2
        assert schema_of(first, second) == (schema, False)
        assert schema_of(second, first) == (schema, True)
    assert schema_of(schemas()[0].sentences[0], schemas()[1].sentences[1]) is None


def test_the_batch_answers_as_one_pass_with_the_german_typed(shipped: Checkpoint) -> None:
    asked = [schemas()[0], schemas()[-1]]
    for found, schema in zip(readings(shipped, asked), asked, strict=True):
        for i, sentence in enumerate(schema.sentences):
            for j, pronoun in enumerate(schema.pronouns):
                ex = explain(shipped, sentence, f"{schema.target} {pronoun}")
                last = ex.steps[-2]  # the pronoun is one token; behind it stands ⟨/s⟩
                assert last.expected.text == pronoun
                assert found.log_probs[i, j] == pytest.approx(float(last.log_probs[last.expected.id]), abs=1e-4)


def test_the_head_that_divides_its_attention_anew_is_the_one_of_the_weights(shipped: Checkpoint) -> None:
    schema: Schema = schemas()[0]
    left, right = (explain(shipped, sentence) for sentence in schema.sentences)
    look = most_changed_head(left, right, schema.nouns)
    assert look is not None
    shares = []
    for ex in (left, right):
        labels, tokens = groups(ex.source)
        row = ex.trace.attention("self", look.layer).weights[look.head, tokens[labels.index("it")][0]]
        shares.append([row[tokens[labels.index(noun)]].sum() for noun in schema.nouns])
    assert look.shares == pytest.approx(np.array(shares), rel=1e-5)
    assert look.shares.sum(1).min() >= LEAST
    # In the first layer the other word cannot have told "it" anything: only all weights together move.
    first = [ex.trace.attention("self", 0).weights[0, 8] for ex in (left, right)]
    assert first[0][1] / first[0][6] == pytest.approx(first[1][1] / first[1][6], rel=1e-3)
    assert look.layer > 0
    assert most_changed_head(left, right, ("animal", "bridge")) is None
