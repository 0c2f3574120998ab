"""An epoch takes every pair once, in batches that keep to their budget."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from viz_core.config import BOS_ID, EOS_ID, PAD_ID
from viz_core.training.pairs import make_batch, plan_epoch


@pytest.fixture(scope="module")
def lengths() -> list[tuple[int, int]]:
    draw = random.Random(4)
    return [(max(1, source + draw.randint(-3, 3)), source) for source in (draw.randint(1, 30) for _ in range(700))]


def test_every_pair_once(lengths: list[tuple[int, int]]) -> None:
    plan = plan_epoch(lengths, tokens=200, seed=0)
    assert Counter(i for batch in plan for i in batch) == Counter(range(len(lengths)))


def test_positions_with_padding_keep_to_the_budget(lengths: list[tuple[int, int]]) -> None:
    for batch in plan_epoch(lengths, tokens=200, seed=0):
        longest = max(max(lengths[i]) for i in batch) + 1  # one special token on either side
        assert len(batch) * longest <= 200


def test_batches_hold_hardly_any_padding_and_few_are_small(lengths: list[tuple[int, int]]) -> None:
    plan = plan_epoch(lengths, tokens=200, seed=0)
    for batch in plan:
        for side in (0, 1):
            sizes = [lengths[i][side] for i in batch]
            assert max(sizes) - min(sizes) <= 1
    assert len(plan) < len(lengths) / 2


def test_the_seed_decides(lengths: list[tuple[int, int]]) -> None:
    assert plan_epoch(lengths, 200, seed=3) == plan_epoch(lengths, 200, seed=3)
    assert plan_epoch(lengths, 200, seed=3) != plan_epoch(lengths, 200, seed=4)
    assert len(plan_epoch(lengths, 200, seed=3)) == len(plan_epoch(lengths, 200, seed=4))  # every epoch is as long


def test_a_pair_over_the_budget_goes_alone() -> None:
    plan = plan_epoch([(3, 3), (90, 90), (3, 3)], tokens=20, seed=0)
    assert sorted(map(sorted, plan)) == [[0, 2], [1]]


def test_special_tokens_stand_where_the_model_expects_them() -> None:
    batch = make_batch([([300, 301], [400]), ([302], [401, 402])])
    assert batch.source.tolist() == [[300, 301, EOS_ID], [302, EOS_ID, PAD_ID]]
    assert batch.read.tolist() == [[BOS_ID, 400, PAD_ID], [BOS_ID, 401, 402]]
    assert batch.predict.tolist() == [[400, EOS_ID, PAD_ID], [401, 402, EOS_ID]]
