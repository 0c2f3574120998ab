"""The data of this page's figures; the tree of a beam search is made here."""

from typing import Annotated, Any, Literal

import numpy as np

from pages.decoding.copied import copied_tokens
from pages.decoding.truncation import truncation
from viz_core.analysis.search import BeamOptions, BeamSearch, listed, search
from viz_core.app.answers import Between, Refused
from viz_core.app.cache import cached_aside
from viz_core.browser.pack import pack
from viz_core.checkpoint import Checkpoint
from viz_core.decoding import BeamStep, Candidate, Hypothesis, length_penalty
from viz_core.explain import Explanation
from viz_core.figures.attention import signed
from viz_core.texts import fill, texts, visible
from viz_core.tokenizer import Tokenizer

PRUNED = 8
"""Pruned candidates of a step that are sent, the best ones."""
FATES = ("pruned", "kept", "finished")
Ids = tuple[int, ...]


def beam_tree(
    checkpoint: Checkpoint,
    explanation: Explanation,
    size: Annotated[int, Between(1, 10)],
    alpha: Annotated[float, Between(0, 2)],
    n_best: Annotated[int, Between(1, 5)],
    early: Literal["on", "off"],
) -> bytes:
    """The tree of hypotheses.

    Args:
        alpha: the exponent of the length penalty.   early: whether the search stops early.
    """
    found = cached_aside(search, checkpoint, explanation, BeamOptions(size, alpha, n_best, early == "on"))
    if not found.known:
        raise Refused(404, "lacking", view="beam_tree")
    return beam_tree_payload(found, checkpoint)


def beam_tree_payload(found: BeamSearch, checkpoint: Checkpoint) -> bytes:
    """The N nodes of all steps, those of a step together, best first.

    Tensors: step (N,), from 0; rank (N,) among all of the step's candidates, from 0; parent (N,), the index of the node that it
    continues, −1 at step 0; token (N,), its id; fate (N,), index of FATES; numbers (N, 3), ln p, Σ ln p and score.

    About: others, how many more candidates each step had in the whole vocabulary, none better than the last one sent; best and
    greedy, the nodes of these two hypotheses, greedy's as far as it is in the tree; forced, the steps whose token an edit forces.
    """
    tokenizer = checkpoint.tokenizer
    rows: list[tuple[int, int, int, int, int]] = []
    numbers: list[tuple[float, float, float]] = []
    nodes: dict[Ids, int] = {}
    others: list[int] = []
    for index, step in enumerate(found.steps):
        shown = certain_candidates(step)
        others.append(0 if index in found.forced else len(step.parents) * len(tokenizer) - len(shown))
        for rank, candidate in enumerate(shown):
            before = step.parents[candidate.parent].ids
            nodes[(*before, candidate.token)] = len(rows)
            rows.append((index, rank, nodes.get(before, -1), candidate.token, FATES.index(candidate.fate)))
            numbers.append((candidate.log_prob, candidate.total, candidate.score))
    steps, ranks, parents, tokens, fates = np.array(rows, np.int32).reshape(-1, 5).T
    tensors: dict[str, Any] = {
        "step": steps, "rank": ranks, "parent": parents, "token": tokens, "fate": fates.astype(np.uint8),
        "numbers": np.array(numbers, np.float32).reshape(-1, 3),
    }  # fmt: skip
    met = [int(i) for i in np.unique(tokens)]
    about = {
        "steps": len(found.steps),
        "size": found.options.size,
        "others": others,
        "best": [nodes[prefix] for prefix in _prefixes(found.best)],
        "greedy": [nodes[prefix] for prefix in _prefixes(found.greedy) if prefix in nodes],
        "forced": [index for index in found.forced if index < len(found.steps)],
        "marks": {"parts": found.parts, "ahead": found.ahead, "pruned": found.pruned},
        "endings": [_ending(each, found, tokenizer) for each in listed(found)],
        "message": comparison(found),
        "labels": {i: visible(tokenizer.token_text(i)) for i in met},
        "blanks": [i for i in met if tokenizer.starts_word(i)],
        "ends": list(checkpoint.config.ends),
        "texts": texts("decoding.tree"),
    }
    return pack(tensors, about)


def certain_candidates(step: BeamStep) -> list[Candidate]:
    """A step's candidates, best first, down to where a token that is no candidate could be better.

    Only the best tokens of each parent are candidates; another of its tokens may still beat the last ones of other parents.
    """
    least = {candidate.parent: candidate.total for candidate in step.candidates}  # the last one of each parent remains
    bound = max(least.values(), default=0.0)
    certain, pruned = [], 0
    for candidate in step.candidates:
        if candidate.fate != "pruned":
            certain.append(candidate)
        elif candidate.total >= bound and pruned < PRUNED:
            certain.append(candidate)
            pruned += 1
    return certain


def comparison(found: BeamSearch) -> str:
    """In words: how the best hypothesis compares with greedy's."""
    words, best, greedy = texts("decoding.tree"), found.best, found.greedy
    values = {"best": signed(best.score, 3), "greedy": signed(greedy.score, 3), "size": found.options.size}
    if found.parts is None:
        return fill(words["same_one" if found.options.size == 1 else "same"], values)
    values |= {"parts": found.parts + 1, "ahead": (found.ahead or 0) + 1}
    if found.ahead is None:
        return fill(words["behind"], values)
    return fill(words["overtakes"], values)


def _ending(hypothesis: Hypothesis, found: BeamSearch, tokenizer: Tokenizer) -> dict[str, Any]:
    return {
        "text": visible(tokenizer.decode(hypothesis.tokens)),
        "score": hypothesis.score,
        "total": hypothesis.total,
        "length": len(hypothesis.ids),
        "penalty": length_penalty(len(hypothesis.ids), found.options.length_penalty),
        "ended": hypothesis.ended,
        "greedy": hypothesis.ids == found.greedy.ids,
        "listed": any(each.ids == hypothesis.ids for each in found.hypotheses),
    }


def _prefixes(hypothesis: Hypothesis) -> list[Ids]:
    return [hypothesis.ids[: step + 1] for step in range(len(hypothesis.ids))]


VIEWS = (beam_tree, truncation, copied_tokens)
