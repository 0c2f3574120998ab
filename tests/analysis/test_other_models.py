"""The analyses are exact for models whose parts are computed in another way than the paper's, too."""

from typing import Any

import numpy as np
import pytest
import torch

from tests.conftest import MakeModel
from viz_core.analysis.logits import logit_attribution
from viz_core.analysis.residual_stream import layer_norm
from viz_core.model import Transformer
from viz_core.taps import Recorder
from viz_core.trace import Trace

COMMON: dict[str, Any] = {"n_layers": 2, "n_decoder_layers": 3, "output_bias": True, "tied_embeddings": False}
OTHERS: dict[str, dict[str, Any]] = {
    "marian": COMMON | {"norm": "post", "activation": "swish", "positions": "halves", "tied_generator": True},
    "bart": COMMON
    | {"norm": "post", "activation": "gelu", "positions": "learned", "embedding_norm": True, "scaled_embeddings": False},
    "mbart": COMMON | {"positions": "learned", "embedding_norm": True, "final_norm": True},
    "annotated": COMMON | {"layer_norm": "deviation", "layer_norm_eps": 1e-6},
    "torch, post-norm": COMMON | {"norm": "post", "final_norm": True},
    "torch, a norm at the decoder's end": COMMON | {"norm": "post", "decoder_final_norm": True},
}
SOURCE, TARGET = [17, 25, 33, 2], [1, 90, 91, 92]


@pytest.fixture(params=list(OTHERS.values()), ids=list(OTHERS))
def passed(request: pytest.FixtureRequest, make_model: MakeModel) -> tuple[Transformer, Trace]:
    model, recorder = make_model(**request.param), Recorder()
    with torch.inference_mode():
        model(torch.tensor([SOURCE]), torch.tensor([TARGET]), recorder)
    return model, Trace(model.config, recorder.tensors)


def test_a_logit_is_the_sum_of_what_all_parts_bring(passed: tuple[Transformer, Trace]) -> None:
    model, trace = passed
    for token, against in ((40, None), (40, 41)):
        found = logit_attribution(model, trace, 2, token, against)
        assert abs(found.remainder) < 1e-4 * max(abs(found.value), 1.0)


@pytest.mark.parametrize("stack", ["encoder", "decoder"])
def test_layer_norm_in_words_is_that_of_the_pass(passed: tuple[Transformer, Trace], stack: Any) -> None:
    model, trace = passed
    found = layer_norm(model, trace, stack, 1, "ffn", 2)
    np.testing.assert_allclose(found.gamma * found.standard + found.beta, found.out, atol=1e-5)
    np.testing.assert_allclose((found.x - found.mean) / found.spread, found.standard, atol=1e-6)
