"""What "it" means: our pairs, and what a model makes of them, against one pass for each sentence."""

import pytest

from viz_core.analysis.pronouns import readings, schema_of, schemas
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
