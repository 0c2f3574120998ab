"""Payload of the beam tree: the hypotheses kept and finished at each step, the best of those pruned, and their numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from pages.decoding.compute import BeamSearch
from viz_core.browser.pack import pack
from viz_core.decoding import BeamStep, Candidate, Hypothesis, length_penalty
from viz_core.decoding.reading import ENDS
from viz_core.figures.attention import signed
from viz_core.texts import fill, texts, visible
from viz_core.tokenizer import Tokenizer

PRUNED = 8
"""Pruned candidates of a step that are sent, the best ones."""
FATES = ("pruned", "kept", "finished")
Ids = tuple[int, ...]


def beam_tree_payload(found: BeamSearch, tokenizer: Tokenizer) -> bytes:
    """The nodes of all steps, N of them, those of a step together and best first.

    Tensors: step (N,), from 0; rank (N,) among all of the step's candidates, from 0; parent (N,), the index of the node that it
    continues, −1 at step 0; token (N,), its id; fate (N,), index of FATES; numbers (N, 3), ln p, Σ ln p and score.

    About: others, for each step how many more candidates there were in the whole vocabulary, none better than the last one sent;
    best and greedy, the nodes of these two hypotheses, greedy's as far as it is in the tree; forced, the steps whose token an edit
    forces.
    """
    rows: list[tuple[int, int, int, int, int]] = []
    numbers: list[tuple[float, float, float]] = []
    nodes: dict[Ids, int] = {}
    others: list[int] = []
    for index, step in enumerate(found.steps):
        shown = certain_candidates(step)
        others.append(0 if index in found.forced else len(step.parents) * len(tokenizer) - len(shown))
        for rank, one in enumerate(shown):
            before = step.parents[one.parent].ids
            nodes[(*before, one.token)] = len(rows)
            rows.append((index, rank, nodes.get(before, -1), one.token, FATES.index(one.fate)))
            numbers.append((one.log_prob, one.total, one.score))
    columns = np.array(rows, np.int32).reshape(-1, 5).T
    tensors: dict[str, Any] = dict(zip(("step", "rank", "parent", "token"), columns, strict=False))
    tensors |= {"fate": columns[4].astype(np.uint8), "numbers": np.array(numbers, np.float32).reshape(-1, 3)}
    greedy = [nodes[prefix] for prefix in _prefixes(found.greedy) if prefix in nodes]
    about = {
        "steps": len(found.steps),
        "size": found.options.size,
        "others": others,
        "best": [nodes[prefix] for prefix in _prefixes(found.best)],
        "greedy": greedy,
        "forced": [index for index in found.forced if index < len(found.steps)],
        "marks": {"parts": found.parts, "ahead": found.ahead, "pruned": found.pruned},
        "endings": [_ending(each, found, tokenizer) for each in listed(found)],
        "message": comparison(found),
        "labels": {int(i): visible(tokenizer.token_text(int(i))) for i in np.unique(columns[3])},
        "blanks": [int(i) for i in np.unique(columns[3]) if tokenizer.starts_word(int(i))],
        "ends": list(ENDS),
        "texts": texts("decoding.tree"),
    }
    return pack(tensors, about)


def certain_candidates(step: BeamStep) -> list[Candidate]:
    """A step's candidates, best first, as far as no token that was left out can be better.

    Only the best tokens of each parent are candidates; another token of it may still beat the last ones of other parents.
    """
    least = {one.parent: one.total for one in step.candidates}  # the last one of each parent remains
    bound = max(least.values(), default=0.0)
    pruned = [one for one in step.candidates if one.fate == "pruned" and one.total >= bound][:PRUNED]
    shown = {id(one) for one in pruned}
    return [one for one in step.candidates if one.fate != "pruned" or id(one) in shown]


def listed(found: BeamSearch) -> list[Hypothesis]:
    """The n best hypotheses, and after them greedy's where it is none of them."""
    best = found.hypotheses
    return best if any(each.ids == found.greedy.ids for each in best) else [*best, found.greedy]


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
