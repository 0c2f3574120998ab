"""Non-autoregressive decoding: the data of its figures, the sentence after each pass and what neighbouring positions predict."""

import math
from collections.abc import Iterator
from typing import Annotated, Any

import numpy as np

from pages.decoding.controls import COUNT, PASSES
from pages.decoding.non_autoregressive_compute import (
    Prediction,
    fixed_point_prediction,
    greedy_translation,
    mask_predict_all_lengths,
    most_likely_repetition,
    next_given_others,
    repetition_risk,
    seconds,
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

Masked = Annotated[str, Text("masked")]
Beside = Annotated[str, Text("beside")]
Count = Annotated[str, COUNT]
Passes = Annotated[int, PASSES]


def passes(checkpoint: Checkpoint, explanation: Explanation, masked: Masked, beside: Beside, count: Count, passes: Passes) -> bytes:
    """The sentence of N tokens after each of P passes, what neighbouring positions predict, and decoding token by token beside it.

    Tensors: ids and probabilities (P, N), of each position's token in the pass that predicted it; hidden (P, N), 1 where it was
    masked before or, without masks, differs from greedy decoding; tried (L, 2), of each length that was tried, the best one first,
    its probability, NaN if it was given, and the mean ln p of its sentence.

    About: `words` (P, N), the labels of these tokens; `pairs`, as from `pairs_of`, and `likely`, the one that most likely gets the
    same token twice; `steps`, how many the keys reach; `tried`, tokens and text of each length; `beside`, the model that decodes
    token by token, its text and steps, and whether it has the same shape; in `settings`, whether the typed target or edits play no
    part.

    Args:
        masked: the mask-predict model; without one, the causal decoder is asked for all positions.
        beside: the model that decodes token by token, for mask-predict.
        count: whether the length is predicted or that of its translation.
        passes: the maximum.
    """
    tokenizer, edits, language = checkpoint.tokenizer, explanation.edits, checkpoint.target_language
    shape = 0, 0
    if masked:
        filler, writer = _models(checkpoint, masked, beside)
        tokenizer, text = filler.tokenizer, cached(greedy_translation, writer, explanation.source.text)
        tried = filled(filler, writer, count == "known", explanation.source.text, passes)
        prediction, steps = tried[0], len(tokenizer.encode(text, language).ids) + 1
        shape = (filler.config.n_layers, filler.config.d_model)
    else:
        filler, writer, tried = None, checkpoint, ()
        prediction, greedy = cached(fixed_point_prediction, checkpoint, explanation, passes)
        text, steps = tokenizer.decode(greedy), len(greedy)
    if not np.isfinite(prediction.first).all():
        raise Refused(404, "lacking", view="passes")
    pairs = [*pairs_of(prediction, filler, explanation.source.text)]
    about = {
        "words": [[*map(visible, tokenizer.read(one.ids, language).labels)] for one in prediction.passes],
        "pairs": pairs,
        "likely": most_likely_repetition(prediction.first) if pairs else 0,
        "labels": {i: visible(tokenizer.token_text(i)) for i in sorted({i for pair in pairs for i in pair["ids"]})},
        "vocabulary": len(tokenizer),
        "text": visible(tokenizer.decode(prediction.ids)),
        "settings": {
            "name": (filler or checkpoint).name, "masked": filler is not None, "most": passes, "whole": edits.whole,
            "ignored": bool(edits if filler else explanation.given_target or edits.force),
        },
        "steps": len(explanation.steps),
        "tried": [[len(one.ids), visible(tokenizer.decode(one.ids))] for one in tried],
        "beside": {
            "name": writer.name, "text": visible(text), "steps": steps,
            "alike": (writer.config.n_layers, writer.config.d_model) == shape,
        },
    }  # fmt: skip
    tensors = {
        "ids": np.array([one.ids for one in prediction.passes], np.int32),
        "probabilities": np.array([one.probabilities for one in prediction.passes], np.float32),
        "hidden": np.array([one.hidden for one in prediction.passes]),
        "tried": np.array([(math.nan if one.chance is None else one.chance, one.passes[-1].mean) for one in tried]).reshape(-1, 2),
    }
    return pack(tensors, about)


def decoding_times(
    checkpoint: Checkpoint, explanation: Explanation, masked: Masked, beside: Beside, count: Count, passes: Passes
) -> bytes:
    """The `seconds` that mask-predict and decoding token by token take, measured now. Parameters: as for `passes`."""
    filler, writer = _models(checkpoint, masked, beside)
    source = explanation.source.text
    tokens = len(filled(filler, writer, count == "known", source, passes)[0].ids)
    return pack({}, {"seconds": cached(seconds, filler, writer, source, passes, tokens)})


def _models(checkpoint: Checkpoint, masked: str, beside: str) -> tuple[Checkpoint, Checkpoint]:
    filler = models.get_masked(checkpoint.source_language, checkpoint.target_language)
    if filler is None or filler.name != masked:
        raise Refused(404, "no_model", model=masked)
    if not models.is_offered(beside):
        raise Refused(404, "no_model", model=beside)
    return filler, models.get_checkpoint(beside)


def filled(masked: Checkpoint, beside: Checkpoint, known: bool, text: str, most: int) -> tuple[Prediction, ...]:
    """The sentence of each length that is tried, the best one first. known: whether it is that of the translation by `beside`."""
    length = None
    if known:
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
