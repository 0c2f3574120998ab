"""What is derived from a trace in both languages is the same: logit lens and attribution, and rollout."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from tests.web.engine import Engine
from tests.web.test_engine import TOLERANCE, VARIANTS, random_model
from viz_core.analysis.logits import logit_attribution, logit_lens
from viz_core.analysis.rollout import decoder_rollout, encoder_rollout, rollout
from viz_core.taps import Recorder
from viz_core.trace import Trace

STEP = 2


def close(found: Any, expected: Any, of: float = 1.0) -> None:
    assert np.abs(np.asarray(found) - np.asarray(expected)).max() <= TOLERANCE * max(of, 1.0)


@pytest.mark.parametrize("rival", [None, 5])
@pytest.mark.parametrize("kind", ["ours", "bart", "torch", "annotated"])
def test_lens_attribution_and_rollout(kind: str, rival: int | None, engine: Engine, tmp_path: Path) -> None:
    model, recorder = random_model(tmp_path, **VARIANTS[kind]), Recorder()
    source, target, tokens = [4, 5, 9, 6, 2], [1, 7, 8, 7], [7] if rival is None else [7, rival]
    with torch.inference_mode():
        model(torch.tensor([source]), torch.tensor([target]), recorder)
    trace = Trace(model.config, recorder.tensors)
    found = engine.ask("analyse", tmp_path, source=source, target=target, step=STEP, tokens=tokens)
    lens = logit_lens(model, trace, STEP).log_probs
    close(engine.tensors()["lens"], lens, np.abs(lens).max())

    expected, ours = logit_attribution(model, trace, STEP, 7, rival), found["attribution"]
    places = [(part.writer, part.layer, part.head, part.block) for part in expected.parts]
    assert [(part["writer"], part["layer"], part["head"], part["block"]) for part in ours["parts"]] == places
    largest = max(abs(part.value) for part in expected.parts)
    close([part["value"] for part in ours["parts"]], [part.value for part in expected.parts], largest)
    close(ours["value"], expected.value, largest)
    for (writer, layer), by_key in expected.by_key.items():
        close(ours["by_key"][f"{writer} {layer}"], by_key, largest)

    rolled = rollout(trace, STEP)
    for name, shares in found["rollout"].items():
        close(shares, getattr(rolled, name).ravel())
    close(found["encoder"], encoder_rollout(trace))
    if model.config.n_layers == model.config.layers("decoder"):
        close(found["decoder"], decoder_rollout(trace))
