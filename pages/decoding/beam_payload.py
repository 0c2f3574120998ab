"""A beam search as a tree: the sentences kept and finished at each step, the best of those that were pruned, and their numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from pages.decoding.beam_compute import Search
from viz_core.browser.pack import pack
from viz_core.decoding import BeamStep, Candidate, Hypothesis, length_penalty
from viz_core.decoding.reading import ENDS
from viz_core.texts import fill, texts
from viz_core.tokenizer import Tokenizer
from viz_core.visible import visible

PRUNED = 8
"""At most so many of a step's pruned candidates, the best, are in it."""
FATES = ("pruned", "kept", "finished")
Ids = tuple[int, ...]


def beam_tree_payload(found: Search, tokenizer: Tokenizer) -> bytes:
    """The nodes of all steps, N of them, those of a step together and best first.

    Tensors: step (N,), from 0; rank (N,) among all of the step's candidates, from 0; parent (N,), the index of the node that it
    goes on from, −1 at step 0; token (N,), its id; fate (N,), index of FATES; numbers (N, 3), ln p, Σ ln p and score.

    About: others, for each step how many more candidates there were in the whole vocabulary, of which none is better than the last
    one that is there; best and greedy, the nodes of these two sentences, greedy's as far as it is in the tree; forced, the steps
    whose token an edit says.
    """
    rows: list[tuple[int, int, int, int, int]] = []
    numbers: list[tuple[float, float, float]] = []
    nodes: dict[Ids, int] = {}
    others: list[int] = []
    for index, step in enumerate(found.steps):
        shown = sure(step)
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
        "size": found.asked.size,
        "others": others,
        "best": [nodes[prefix] for prefix in _prefixes(found.best)],
        "greedy": greedy,
        "forced": [index for index in found.forced if index < len(found.steps)],
        "marks": {"parts": found.parts, "ahead": found.ahead, "lost": found.lost},
        "endings": [_ending(each, found, tokenizer) for each in endings(found)],
        "said": said(found),
        "labels": {int(i): visible(tokenizer.token_text(int(i))) for i in np.unique(columns[3])},
        "blanks": [int(i) for i in np.unique(columns[3]) if tokenizer.starts_word(int(i))],
        "ends": list(ENDS),
        "texts": texts("decoding.tree"),
    }
    return pack(tensors, about)


def sure(step: BeamStep) -> list[Candidate]:
    """A step's candidates, best first, as far as it is sure that no other one is better.

    Of each parent only its best tokens are candidates; a token that is none may be better than another parent's last ones.
    """
    least = {one.parent: one.total for one in step.candidates}  # the last of each parent stays
    bound = max(least.values(), default=0.0)
    pruned = [one for one in step.candidates if one.fate == "pruned" and one.total >= bound][:PRUNED]
    shown = {id(one) for one in pruned}
    return [one for one in step.candidates if one.fate != "pruned" or id(one) in shown]


def endings(found: Search) -> list[Hypothesis]:
    """The n best, and behind them greedy's sentence where it is none of them."""
    best = found.endings
    return best if any(each.ids == found.greedy.ids for each in best) else [*best, found.greedy]


def said(found: Search) -> str:
    """What became of greedy's sentence, in words."""
    words, best, greedy = texts("decoding.tree"), found.best, found.greedy
    values = {"best": minus(best.score), "greedy": minus(greedy.score), "size": found.asked.size}
    if found.parts is None:
        return fill(words["same_one" if found.asked.size == 1 else "same"], values)
    values |= {"parts": found.parts + 1, "ahead": (found.ahead or 0) + 1}
    if found.ahead is None:
        return fill(words["behind"], values)
    return fill(words["overtakes"], values)


def minus(value: float) -> str:
    """A score for reading."""
    return f"{value:.3f}".replace("-", "−")


def _ending(hypothesis: Hypothesis, found: Search, tokenizer: Tokenizer) -> dict[str, Any]:
    return {
        "text": visible(tokenizer.decode(hypothesis.tokens)),
        "score": hypothesis.score,
        "total": hypothesis.total,
        "length": len(hypothesis.ids),
        "penalty": length_penalty(len(hypothesis.ids), found.asked.length_penalty),
        "ended": hypothesis.ended,
        "greedy": hypothesis.ids == found.greedy.ids,
        "listed": any(each.ids == hypothesis.ids for each in found.endings),
    }


def _prefixes(hypothesis: Hypothesis) -> list[Ids]:
    return [hypothesis.ids[: step + 1] for step in range(len(hypothesis.ids))]
