"""The data of the beam tree, and the limits of a decoding."""

from typing import Annotated, Any

import numpy as np

from pages.decoding.controls import ALPHA, EARLY, N_BEST, SIZE
from viz_core.analysis.search import BeamOptions, BeamSearch, forced_in, listed, most_steps, search, steps_of
from viz_core.app.answers import Refused
from viz_core.app.cache import cached_aside
from viz_core.browser.pack import pack
from viz_core.checkpoint import Checkpoint
from viz_core.decoding import BeamStep, Candidate, Hypothesis, length_penalty
from viz_core.explain import Explanation
from viz_core.texts import visible
from viz_core.tokenizer import Tokenizer
from viz_core.wording import special_names

PRUNED = 8
"""How many pruned candidates of a step are sent, the best ones."""
FATES = ("pruned", "kept", "finished")
Ids = tuple[int, ...]


def beam_tree(
    checkpoint: Checkpoint,
    explanation: Explanation,
    size: Annotated[int, SIZE],
    alpha: Annotated[float, ALPHA],
    n_best: Annotated[int, N_BEST],
    early: Annotated[str, EARLY],
) -> bytes:
    """The tree of hypotheses.

    Args:
        alpha: the exponent of the length penalty.   early: whether the search stops early.
    """
    beam = cached_aside(search, checkpoint, explanation, BeamOptions(size, alpha, n_best, early == "on"))
    if not beam.known:
        raise Refused(404, "lacking", view="beam_tree")
    return beam_tree_payload(beam, checkpoint)


def decoding_limits(checkpoint: Checkpoint, explanation: Explanation) -> bytes:
    """The limits of a decoding: `stops`, the step at which it is cut off early, else 0; whether a target was `typed`, which is not
    used; the tokens that an edit has `forced`, each with its step.
    """
    most, forced = most_steps(explanation), forced_in(checkpoint, explanation)
    about = {
        "stops": most if most < steps_of(checkpoint, explanation) else 0,
        "typed": explanation.given_target,
        "forced": [[visible(checkpoint.tokenizer.token_text(token)), step + 1] for step, token in forced.items()],
    }
    return pack({}, about)


def beam_tree_payload(beam: BeamSearch, checkpoint: Checkpoint) -> bytes:
    """The N nodes of all steps, those of a step together, best first.

    Tensors: step (N,), from 0; rank (N,), among all candidates of the step, from 0; parent (N,), the index of the node that it
    extends, −1 at step 0; token (N,), its id; fate (N,), index in FATES; numbers (N, 3), ln p, Σ ln p and score.

    About: `others`, how many more candidates each step had in the whole vocabulary, none better than the last one sent; `best` and
    `greedy`, the nodes of these two hypotheses, as far as greedy's is in the tree; `forced`, the steps whose token an edit forces.
    """
    tokenizer = checkpoint.tokenizer
    rows: list[tuple[int, int, int, int, int]] = []
    numbers: list[tuple[float, float, float]] = []
    nodes: dict[Ids, int] = {}
    others: list[int] = []
    for index, step in enumerate(beam.steps):
        sent = certain_candidates(step)
        others.append(0 if index in beam.forced else len(step.parents) * len(tokenizer) - len(sent))
        for rank, candidate in enumerate(sent):
            before = step.parents[candidate.parent].ids
            nodes[(*before, candidate.token)] = len(rows)
            rows.append((index, rank, nodes.get(before, -1), candidate.token, FATES.index(candidate.fate)))
            numbers.append((candidate.log_prob, candidate.total, candidate.score))
    steps, ranks, parents, tokens, fates = np.array(rows, np.int32).reshape(-1, 5).T
    tensors: dict[str, Any] = {
        "step": steps, "rank": ranks, "parent": parents, "token": tokens, "fate": fates.astype(np.uint8),
        "numbers": np.array(numbers, np.float32).reshape(-1, 3),
    }  # fmt: skip
    ids = [int(i) for i in np.unique(tokens)]
    about = {
        "steps": len(beam.steps),
        "size": beam.options.size,
        "alpha": beam.options.length_penalty,
        "others": others,
        "best": [nodes[prefix] for prefix in _prefixes(beam.best)],
        "greedy": [nodes[prefix] for prefix in _prefixes(beam.greedy) if prefix in nodes],
        "forced": [index for index in beam.forced if index < len(beam.steps)],
        "marks": {"parts": beam.parts, "ahead": beam.ahead, "pruned": beam.pruned},
        "endings": [_ending(hypothesis, beam, tokenizer) for hypothesis in listed(beam)],
        "labels": {i: visible(tokenizer.token_text(i)) for i in ids},
        "blanks": [i for i in ids if tokenizer.starts_word(i)],
        "ends": list(checkpoint.config.ends),
        "specials": special_names(checkpoint.config, tokenizer),
    }
    return pack(tensors, about)


def certain_candidates(step: BeamStep) -> list[Candidate]:
    """A step's candidates, the best first, as long as no token that is not a candidate could be better.

    Only the best tokens of each parent are candidates; one of its other tokens may still beat the last candidates of other parents.
    """
    least = {candidate.parent: candidate.total for candidate in step.candidates}  # each parent's last candidate
    bound = max(least.values(), default=0.0)
    certain, pruned = [], 0
    for candidate in step.candidates:
        if candidate.fate != "pruned":
            certain.append(candidate)
        elif candidate.total >= bound and pruned < PRUNED:
            certain.append(candidate)
            pruned += 1
    return certain


def _ending(hypothesis: Hypothesis, beam: BeamSearch, tokenizer: Tokenizer) -> dict[str, Any]:
    return {
        "text": visible(tokenizer.decode(hypothesis.tokens)),
        "score": hypothesis.score,
        "total": hypothesis.total,
        "length": len(hypothesis.ids),
        "log_probs": hypothesis.log_probs,
        "penalty": length_penalty(len(hypothesis.ids), beam.options.length_penalty),
        "ended": hypothesis.ended,
        "greedy": hypothesis.ids == beam.greedy.ids,
        "listed": any(kept.ids == hypothesis.ids for kept in beam.hypotheses),
    }


def _prefixes(hypothesis: Hypothesis) -> list[Ids]:
    return [hypothesis.ids[: step + 1] for step in range(len(hypothesis.ids))]
