"""Non-autoregressive decoding: the data of its figures, the sentence after each pass and what neighbouring positions predict."""

from collections.abc import Iterator
from typing import Annotated, Any

import numpy as np

from pages.decoding.controls import PASSES
from pages.decoding.non_autoregressive_compute import (
    Prediction,
    fixed_point_prediction,
    greedy_translation,
    mask_predict_all_lengths,
    most_likely_repetition,
    next_given_others,
    repetition_risk,
    top_tokens,
)
from viz_core.app import models
from viz_core.app.answers import Refused
from viz_core.app.cache import cached
from viz_core.browser.pack import pack
from viz_core.checkpoint import Checkpoint
from viz_core.explain import Explanation
from viz_core.params import Text
from viz_core.texts import visible


def passes(
    checkpoint: Checkpoint,
    explanation: Explanation,
    masked: Annotated[str, Text("masked")],
    beside: Annotated[str, Text("beside")],
    passes: Annotated[int, PASSES],
) -> bytes:
    """The sentence of N tokens after each of P passes, and what neighbouring positions predict.

    Tensors: ids and probabilities (P, N), of each position's token in the pass that predicted it; hidden (P, N), 1 where it was
    masked before or, without masks, differs from greedy decoding.

    About: `words` (P, N), the labels of these tokens; `pairs`, as from `pairs_of`, and `likely`, the one that most likely gets the
    same token twice; `steps`, how many the keys reach.

    Args:
        masked: the mask-predict model; without one, the causal decoder is asked for all positions.
        beside: the model whose translation has the length that is given; without one, the length is predicted.   passes: at most.
    """
    filler = models.get_masked(checkpoint.source_language, checkpoint.target_language) if masked else None
    for name, known in ((masked, filler and filler.name == masked), (beside, models.is_offered(beside))):
        if name and not known:
            raise Refused(404, "no_model", model=name)
    if filler:
        writer = models.get_checkpoint(beside) if beside else None
        prediction = filled(filler, writer, explanation.source.text, passes)[0]
    else:
        prediction, _ = cached(fixed_point_prediction, checkpoint, explanation, passes)
    if not np.isfinite(prediction.first).all():
        raise Refused(404, "lacking", view="passes")
    tokenizer = (filler or checkpoint).tokenizer
    pairs = [*pairs_of(prediction, filler, explanation.source.text)]
    about = {
        "words": [[*map(visible, tokenizer.read(one.ids, checkpoint.target_language).labels)] for one in prediction.passes],
        "pairs": pairs,
        "likely": most_likely_repetition(prediction.first) if pairs else 0,
        "labels": {i: visible(tokenizer.token_text(i)) for i in sorted({i for pair in pairs for i in pair["ids"]})},
        "vocabulary": len(tokenizer),
        "text": visible(tokenizer.decode(prediction.ids)),
        "settings": {"name": (filler or checkpoint).name, "masked": filler is not None, "most": passes},
        "steps": len(explanation.steps),
    }
    tensors = {
        "ids": np.array([one.ids for one in prediction.passes], np.int32),
        "probabilities": np.array([one.probabilities for one in prediction.passes], np.float32),
        "hidden": np.array([one.hidden for one in prediction.passes]),
    }
    return pack(tensors, about)


def filled(masked: Checkpoint, beside: Checkpoint | None, text: str, most: int) -> tuple[Prediction, ...]:
    """The sentence of each length that is tried, the best one first. beside: the model whose translation has the given length."""
    length = None
    if beside:
        length = len(masked.tokenizer.encode(cached(greedy_translation, beside, text), masked.target_language).ids)
    return cached(mask_predict_all_lengths, masked, text, most, length)


def pairs_of(prediction: Prediction, masked: Checkpoint | None, text: str) -> Iterator[dict[str, Any]]:
    """Of each position and the next: the token that both are most likely to get, those with bars, and their probabilities.

    These are three series: both positions in the first pass and, with a mask-predict model, the second one once it knows all other
    tokens.
    """
    risks = [repetition_risk(prediction.first, place) for place in range(len(prediction.ids) - 1)]
    tokens = tuple(risk.token for risk in risks)
    informed: Any = np.exp(cached(next_given_others, masked, text, prediction.ids, tokens)) if masked and tokens else []
    for place, token in enumerate(tokens):
        series = [*np.exp(prediction.first[place : place + 2]), *informed[place : place + 1]]
        ids = top_tokens(token, series)
        yield {"token": token, "ids": ids, "series": [values[ids].tolist() for values in series]}
