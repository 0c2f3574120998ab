"""The browser's engine writes what Python writes: greedily, by beam search and by sampling."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from itertools import takewhile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from tests.importing.conftest import lines
from tests.web.conftest import Engine
from tests.web.test_engine import TOLERANCE
from viz_core.catalog import find
from viz_core.checkpoint import Checkpoint, load
from viz_core.decoding.beam import BeamSettings, beam_steps
from viz_core.decoding.sampling import sample_steps
from viz_core.decoding.translate import max_steps
from viz_core.model import Transformer

MODELS = ["en-de-tiny", "zh-en-tiny"]


@pytest.fixture(scope="module", params=MODELS)
def trained(request: pytest.FixtureRequest) -> Checkpoint:
    return load(request.param)


def sources(checkpoint: Checkpoint) -> list[list[int]]:
    texts = lines(checkpoint.source_language)[:2]
    return [checkpoint.config.framed(checkpoint.encode(text, "source").ids) for text in texts]


@pytest.mark.parametrize(("size", "alpha", "forced"), [(5, 0.6, {}), (4, 1.0, {1: 300})])
def test_beam_search_makes_the_same_tree(
    trained: Checkpoint, size: int, alpha: float, forced: dict[int, int], engine: Engine
) -> None:
    for source in sources(trained):
        settings = BeamSettings(size, max_steps(trained.config, len(source)), alpha, n_best=2, forced=forced)
        ((off, is_same),) = tree_off(engine, find(trained.name), source, settings, trained.model)
        assert off <= TOLERANCE and is_same


def tree_off(
    engine: Engine, folder: Path, source: list[int], settings: BeamSettings, *models: Transformer
) -> Iterator[tuple[float, bool]]:
    """How far log-probabilities and scores of all candidates are off from those of each model, and whether the trees are the same.

    A tree is compared up to the step where another candidate is taken; there, too, the scores, of which two are then the same.
    """
    how = {"size": settings.size, "length_penalty": settings.length_penalty, "n_best": settings.n_best, "early_stop": True}
    found = engine.ask("beam", folder, source=source, settings=how, forced=list(settings.forced.items()))
    for model in models:
        expected = [asdict(step) for (step,) in beam_steps(model, torch.tensor([source]), settings)]
        same = len([*takewhile(lambda pair: shape(pair[0]) == shape(pair[1]), zip(found, expected, strict=False))])
        pairs = (
            (numbers(found, name, end), numbers(expected, name, end)) for name, end in (("log_prob", same), ("score", same + 1))
        )
        yield max(float(np.abs(ours - theirs).max(initial=0.0)) for ours, theirs in pairs), same == len(expected) == len(found)


def shape(step: dict[str, Any]) -> Any:
    hypotheses = [[list(hypothesis["ids"]) for hypothesis in step[name]] for name in ("live", "finished")]
    return [(c["parent"], c["token"], c["fate"]) for c in step["candidates"]], hypotheses, step["done"]


def numbers(steps: list[dict[str, Any]], name: str, end: int) -> np.ndarray[Any, Any]:
    return np.array([candidate[name] for step in steps[:end] for candidate in step["candidates"]])


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
