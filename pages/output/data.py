"""What the server answers for this page: the next-token distributions, and each logit as a sum of terms."""

from typing import Any

import numpy as np
import numpy.typing as npt

from viz_core.analysis.next_token import distribution, logit_terms, vocabulary_label
from viz_core.app.cache import cached
from viz_core.browser.output_payload import candidates, next_token_payload
from viz_core.browser.pack import pack
from viz_core.checkpoint import Checkpoint
from viz_core.explain import Explanation
from viz_core.texts import visible
from viz_core.trace import Floats


def token_terms(checkpoint: Checkpoint, explanation: Explanation) -> tuple[dict[str, npt.NDArray[Any]], dict[int, str]]:
    """The logits of C candidates at each of T steps as sums of products, and the numbers that their softmax needs.

    Returns:
        Tensors: ids, logits, log_probs (T, C); the n largest products, as places (dimensions from 0), states and weights, their two
        factors, (T, C, n); others, the sum of all other products, and biases, if the model has any, (T, C); log_totals, log Σ e^z,
        and bits, the entropy, (T,). Then the label of each id.
    """
    trace, ids = explanation.trace, np.array([candidates(step) for step in explanation.steps])
    spreads = [distribution(trace, step) for step in range(len(ids))]
    terms = logit_terms(checkpoint.model, trace, ids)
    floats: dict[str, Floats] = {
        "logits": terms.values,
        "log_probs": np.take_along_axis(trace.array("output.log_probs"), ids, -1),
        "others": terms.others,
        "states": terms.states,
        "weights": terms.weights,
        "log_totals": np.array([spread.log_sum_exp for spread in spreads]),
        "bits": np.array([spread.entropy for spread in spreads]),
    }
    if terms.biases is not None:
        floats["biases"] = terms.biases
    tensors: dict[str, npt.NDArray[Any]] = {name: array.astype(np.float32) for name, array in floats.items()}
    tensors |= {"ids": ids.astype(np.int32), "places": terms.dims.astype(np.int32)}
    return tensors, {i: visible(vocabulary_label(checkpoint.tokenizer, i)) for i in np.unique(ids).tolist()}


def next_token_arithmetic_payload(checkpoint: Checkpoint, explanation: Explanation, about: dict[str, Any]) -> bytes:
    """The result of `token_terms`, with the texts, values and tables that the browser adds to it."""
    tensors, labels = cached(token_terms, checkpoint, explanation)
    return pack(tensors, {"labels": labels, "dims": explanation.trace.config.d_model, **about})


def next_token(checkpoint: Checkpoint, explanation: Explanation) -> bytes:
    """The next-token distribution of every step."""
    return next_token_payload(explanation, checkpoint.tokenizer)


VIEWS = (next_token,)
