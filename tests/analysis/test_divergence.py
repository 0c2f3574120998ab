"""What an edit changed, against sums written out in plain Python."""

import math

import numpy as np
import pytest

from viz_core.analysis.divergence import WordRun, compare_explanations, divergence, word_runs
from viz_core.checkpoint import Checkpoint
from viz_core.edits import Edits, site_edits
from viz_core.explain import explain, traced_pass

TEXT = "The tall nurse carries a green kettle."
EDITS = Edits(no_scale=True, no_positions=True)


def test_words_run_by_run() -> None:
    before = ["Die", "Katze", "schläft", "auf", "dem", "Sofa", "."]
    after = ["Die", "alte", "Katze", "schläft", "dem", "Hund", "."]
    assert word_runs(before, after) == (
        WordRun(("Die",), ("Die",)), WordRun((), ("alte",)), WordRun(("Katze", "schläft"), ("Katze", "schläft")),
        WordRun(("auf",), ()), WordRun(("dem",), ("dem",)), WordRun(("Sofa",), ("Hund",)), WordRun((".",), (".",)),
    )  # fmt: skip
    assert [run.same for run in word_runs(["a"], ["b"])] == [False]
    assert word_runs([], []) == ()


def test_divergence_in_bits() -> None:
    p, q = [[0.5, 0.25, 0.25], [1.0, 0.0, 0.0]], [[0.25, 0.25, 0.5], [0.5, 0.5, 0.0]]
    by_hand = [sum(a * math.log2(a / b) for a, b in zip(x, y, strict=True) if a) for x, y in zip(p, q, strict=True)]
    with np.errstate(divide="ignore"):
        assert divergence(np.log(p), np.log(q)).tolist() == pytest.approx(by_hand)
        assert by_hand == pytest.approx([0.25, 1.0])
        assert divergence(np.log(q), np.log(p)).tolist()[1] == math.inf
        assert not divergence(np.log(p), np.log(p)).any()


def test_the_same_output_under_both_models(checkpoint: Checkpoint) -> None:
    before, after = explain(checkpoint, TEXT), explain(checkpoint, TEXT, edits=EDITS)
    same = traced_pass(checkpoint, [after.source.ids], [before.target.ids], site_edits(EDITS, checkpoint.config))
    found = compare_explanations(before, after, same)
    p, q = (np.exp(trace.array("output.log_probs").astype(np.float64)) for trace in (before.trace, same))
    written = [token.id for token in before.output]
    drop = sum(math.log(p[t, i]) - math.log(q[t, i]) for t, i in enumerate(written))
    assert found.drop == pytest.approx(drop, abs=1e-4)
    assert found.drop > 0
    assert found.log_probs()[1] == pytest.approx([math.log(q[t, i]) for t, i in enumerate(written)])
    for t, bits in enumerate(found.divergence):
        assert bits == pytest.approx(sum(a * math.log2(a / b) for a, b in zip(p[t], q[t], strict=True)), abs=1e-5)
    terms = p[2] * np.log2(p[2] / q[2])
    largest = found.largest_terms(2, 3)
    assert [each.id for each in largest] == sorted(range(len(terms)), key=lambda i: -abs(terms[i]))[:3]
    assert (largest[0].before, largest[0].after) == pytest.approx((p[2, largest[0].id], q[2, largest[0].id]))
    assert [word for run in found.words for word in run.before] == [word.text for word in before.target.words]
    assert [word for run in found.words for word in run.after] == [word.text for word in after.target.words]
