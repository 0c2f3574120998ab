"""The browser's engine and PyTorch: the same numbers at every site, in every kind of model, and in what is derived from them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from tests.web.conftest import Engine, worst
from viz_core.analysis.logits import logit_attribution, logit_lens
from viz_core.config import ModelConfig
from viz_core.model import Transformer
from viz_core.taps import Recorder
from viz_core.trace import Trace
from viz_core.weights import pack, unpack

TOLERANCE = 1e-5  # of the site's largest value
VARIANTS: dict[str, dict[str, Any]] = {
    "ours": {},
    "ours, in bfloat16": {"dtype": torch.bfloat16},
    "the paper's": {"norm": "post", "dtype": torch.float16},
    "marian": {
        "norm": "post", "positions": "halves", "activation": "swish", "output_bias": True, "n_decoder_layers": 1,
        "pad_id": 10, "bos_id": 10, "eos_id": 0, "unk_id": 1, "never_ids": [10],
    },
    "bart": {
        "norm": "post", "positions": "learned", "activation": "gelu", "output_bias": True, "embedding_norm": True,
        "scaled_embeddings": False, "source_start": [1], "n_decoder_layers": 3,
    },
    "mbart": {"positions": "learned", "embedding_norm": True, "activation": "gelu", "final_norm": True},
    "torch": {
        "norm": "post", "final_norm": True, "decoder_final_norm": False, "tied_embeddings": False, "output_bias": True,
        "target_vocab": 13,
    },
    "annotated": {"layer_norm": "deviation", "layer_norm_eps": 1e-6, "tied_embeddings": False, "tied_generator": True},
    "tied with the source": {"tied_embeddings": False, "tied_generator": "source"},
    "masked": {"decoder": "masked"},
}  # fmt: skip


def random_model(folder: Path, dtype: torch.dtype = torch.float32, **fields: Any) -> Transformer:
    """A small model of random weights, in a folder that the engine can read."""
    config = ModelConfig(
        **{"source_vocab": 11, "target_vocab": 11, "d_model": 12, "n_heads": 2, "n_layers": 2, "d_ff": 20} | fields
    )
    torch.manual_seed(3)
    model = Transformer(config)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(torch.randn_like(parameter), alpha=0.2)
    content = pack(model, dtype)
    (folder / "model.safetensors").write_bytes(content)
    (folder / "config.json").write_text(json.dumps({"model": config.to_json()}))
    return unpack(config, content)


@pytest.mark.parametrize("fields", VARIANTS.values(), ids=VARIANTS)
def test_every_site_of_a_padded_pass(fields: dict[str, Any], engine: Engine, tmp_path: Path) -> None:
    model, recorder = random_model(tmp_path, **fields), Recorder()
    pad = model.config.pad_id
    source, target = [4, 5, 9, 6, 2, pad, pad], [model.config.bos_id, 7, 8, 7, pad]
    with torch.inference_mode():
        model(torch.tensor([source]), torch.tensor([target]), recorder)
    engine.ask("pass", tmp_path, source=source, target=target)
    assert max(worst(recorder.tensors, engine.tensors()).values()) <= TOLERANCE


STEP = 2


def close(found: Any, expected: Any, of: float = 1.0) -> None:
    assert np.abs(np.asarray(found) - np.asarray(expected)).max() <= TOLERANCE * max(of, 1.0)


@pytest.mark.parametrize("rival", [None, 5])
@pytest.mark.parametrize("kind", ["ours", "bart", "torch", "annotated"])
def test_lens_and_attribution(kind: str, rival: int | None, engine: Engine, tmp_path: Path) -> None:
    model, recorder = random_model(tmp_path, **VARIANTS[kind]), Recorder()
    source, target, tokens = [4, 5, 9, 6, 2], [1, 7, 8, 7], [7] if rival is None else [7, rival]
    with torch.inference_mode():
        model(torch.tensor([source]), torch.tensor([target]), recorder)
    trace = Trace(model.config, recorder.tensors)
    ours = engine.ask("analyse", tmp_path, source=source, target=target, step=STEP, tokens=tokens)
    lens = logit_lens(model, trace, STEP).log_probs
    close(engine.tensors()["lens"], lens, np.abs(lens).max())

    expected = logit_attribution(model, trace, STEP, 7, rival)
    places = [(part.writer, part.layer, part.head, part.block) for part in expected.parts]
    assert [(part["writer"], part["layer"], part["head"], part["block"]) for part in ours["parts"]] == places
    largest = max(abs(part.value) for part in expected.parts)
    close([part["value"] for part in ours["parts"]], [part.value for part in expected.parts], largest)
    close(ours["value"], expected.value, largest)
    for (writer, layer), by_key in expected.by_key.items():
        close(ours["by_key"][f"{writer} {layer}"], by_key, largest)
