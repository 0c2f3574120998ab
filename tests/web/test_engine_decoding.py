"""The browser's engine writes what Python writes: greedily, by beam search and by sampling."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch

from tests.importing.conftest import lines
from tests.web.conftest import Engine, worst
from tests.web.test_engine import TOLERANCE, VARIANTS, random_model
from viz_core.catalog import find
from viz_core.checkpoint import Checkpoint, load
from viz_core.decoding.beam import BeamSettings, BeamStep, beam_steps
from viz_core.decoding.greedy import greedy_steps
from viz_core.decoding.sampling import sample_steps
from viz_core.decoding.translate import max_steps
from viz_core.taps import Recorder

MODELS = ["en-de-tiny", "zh-en-tiny"]
CHINESE = ["汤姆正在厨房里做饭。", "我昨天买了一本新书。", "你好！"]


@pytest.fixture(scope="module", params=MODELS)
def trained(request: pytest.FixtureRequest) -> Checkpoint:
    return load(request.param)


def sources(checkpoint: Checkpoint) -> list[list[int]]:
    texts = CHINESE if checkpoint.source_language == "zh" else lines("en")[:3]
    return [checkpoint.config.framed(checkpoint.encode(text, "source").ids) for text in texts]


@pytest.mark.parametrize("kind", [kind for kind, fields in VARIANTS.items() if fields.get("decoder") != "masked"])
def test_greedy_and_its_steps_are_the_trace_in_every_kind_of_model(kind: str, engine: Engine, tmp_path: Path) -> None:
    model, source = random_model(tmp_path, **VARIANTS[kind]), [4, 5, 9, 6, 2]
    for forced in ({}, {1: 7, 3: 8}):
        steps = greedy_steps(model, torch.tensor([source]), max_steps(model.config, len(source)), forced=forced)
        expected = [int(step.ids[0]) for step in steps]
        assert engine.ask("greedy", tmp_path, source=source, forced=list(forced.items()))["ids"] == expected
        recorder = Recorder()
        with torch.inference_mode():
            model(torch.tensor([source]), torch.tensor([[model.config.bos_id, *expected[:-1]]]), recorder)
        off = worst(recorder.tensors, engine.tensors())
        assert {site: difference for site, difference in off.items() if difference > TOLERANCE} == {}


@pytest.mark.parametrize(("size", "alpha", "forced"), [(5, 0.6, {}), (4, 1.0, {1: 300})])
def test_beam_search_makes_the_same_tree(
    trained: Checkpoint, size: int, alpha: float, forced: dict[int, int], engine: Engine
) -> None:
    for source in sources(trained)[:2]:
        settings = BeamSettings(size, max_steps(trained.config, len(source)), alpha, n_best=2, forced=forced)
        expected = [step for (step,) in beam_steps(trained.model, torch.tensor([source]), settings)]
        how = {"size": size, "length_penalty": alpha, "n_best": 2, "early_stop": True}
        found = engine.ask("beam", find(trained.name), source=source, settings=how, forced=list(forced.items()))
        assert len(found) == len(expected)
        for ours, theirs in zip(found, expected, strict=True):
            assert_same_step(ours, theirs)


def assert_same_step(ours: Any, theirs: BeamStep) -> None:
    kinds = [(c.parent, c.token, c.fate) for c in theirs.candidates]
    assert [(c["parent"], c["token"], c["fate"]) for c in ours["candidates"]] == kinds
    for name in ("log_prob", "total", "score"):
        expected = [getattr(c, name) for c in theirs.candidates]
        assert [c[name] for c in ours["candidates"]] == pytest.approx(expected, rel=1e-6, abs=TOLERANCE)
    for name in ("live", "finished"):
        assert [tuple(hypothesis["ids"]) for hypothesis in ours[name]] == [hypothesis.ids for hypothesis in getattr(theirs, name)]
    assert ours["done"] == theirs.done


@pytest.mark.parametrize(("temperature", "top_k", "top_p", "seed"), [(1.0, 0, 1.0, 7), (0.7, 20, 0.9, 2**33), (2.0, 0, 0.8, 7)])
def test_a_seed_draws_the_same_tokens(
    temperature: float, top_k: int, top_p: float, seed: int, trained: Checkpoint, engine: Engine
) -> None:
    source, how = sources(trained)[0], {"temperature": temperature, "top_k": top_k, "top_p": top_p, "seed": seed, "draws": 3}
    found = engine.ask("sample", find(trained.name), source=source, settings=how | {"draws": [0, 1, 2]})
    steps = list(sample_steps(trained.model, torch.tensor([source]), max_steps(trained.config, len(source)), **how))  # type: ignore[arg-type]
    for draw, drawn in enumerate(found):
        for ours, theirs in zip(drawn, [step for step in steps if step.going[draw]], strict=True):
            token = int(theirs.ids[draw])
            assert ours["dice"] == float(theirs.dice[draw]) and ours["count"] == int(theirs.cut.count[draw])
            if ours["id"] != token:  # two as probable to the sixth digit may lie side by side in either order
                assert abs(theirs.log_probs[draw, token] - theirs.log_probs[draw, ours["id"]]) < TOLERANCE
                break
            for name in ("before", "after"):
                assert ours[name] == pytest.approx(float(getattr(theirs, name)[draw]), abs=TOLERANCE)
