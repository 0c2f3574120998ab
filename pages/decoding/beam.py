"""Beam search: its settings, the tree of hypotheses and its payload, and the arithmetic of the scores."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

from pages.decoding.controls import ALPHA, EARLY, N_BEST, SIZE
from pages.decoding.downloads import candidates_csv, hypotheses_csv
from viz_core.analysis.search import GREEDY, BeamOptions, BeamSearch, listed, most_steps, search, steps_of, written
from viz_core.app import session
from viz_core.app.long_work import pooled
from viz_core.app.markup import Raw, markdown, number, shortened
from viz_core.app.page import Page
from viz_core.app.view_options import unwatched
from viz_core.browser.pack import pack
from viz_core.checkpoint import Checkpoint
from viz_core.decoding import BeamStep, Candidate, Hypothesis, length_penalty
from viz_core.explain import Notice
from viz_core.figures.attention import signed
from viz_core.texts import enumerated, fill, texts, visible
from viz_core.tokenizer import Tokenizer

TERMS = 4
"""Of a sum, that are written out."""
SENTENCE_LENGTH = 100
"""Characters of a sentence that are shown above its arithmetic."""
PRUNED = 8
"""Pruned candidates of a step that are sent, the best ones."""
FATES = ("pruned", "kept", "finished")
Ids = tuple[int, ...]


def show_beam(p: Page) -> None:
    """The tree, and the arithmetic of the best hypothesis and of greedy's."""
    options = _options(p)
    tokenizer = p.view.checkpoint.tokenizer
    found = pooled(search, p.view.checkpoint, p.view.explanation, options, says=p.texts["searching"])
    write_limits(p, found.forced)
    if not found.known:
        p.write("unknown")
        return
    _check_picked(p, found)
    p.mount("beam_tree", beam_tree_payload(found, p.view.checkpoint))
    _arithmetic(p, found)
    p.offer("search", f"beam{options.size}-candidates", partial(candidates_csv, found, tokenizer))
    p.offer("endings", f"beam{options.size}-hypotheses", partial(hypotheses_csv, found, tokenizer))
    p.show_code("code_beam")


def greedy_of(p: Page) -> Hypothesis:
    """The sentence of greedy decoding, which needs a search only where the explained one is not it."""
    checkpoint, explanation = p.view.checkpoint, p.view.explanation
    alone = written(checkpoint, explanation)
    return alone or pooled(search, checkpoint, explanation, GREEDY, says=p.texts["searching"]).greedy


def _options(p: Page) -> BeamOptions:
    with p.controls():
        return BeamOptions(SIZE.draw(p), ALPHA.draw(p), N_BEST.draw(p), early_stop=EARLY.draw(p) == "on")


def write_limits(p: Page, forced: Mapping[int, int]) -> None:
    """What limits a decoding: where it stops early, that a typed target is not used, and which tokens an edit forces."""
    most = most_steps(p.view.explanation)
    if most < steps_of(p.view.checkpoint, p.view.explanation):
        p.write("stops", steps=most)
    if p.view.explanation.given_target:
        p.write("typed")
    elif forced:
        read = p.view.checkpoint.tokenizer.token_text
        p.write("forced", tokens=enumerated(p.text("forced_at", token=read(token), step=i + 1) for i, token in forced.items()))


def _check_picked(p: Page, found: BeamSearch) -> None:
    """A notice where a link asks for a candidate that this search does not have."""
    with unwatched():  # what the link asks for, once; the tree follows what is picked by itself
        cell = p.view_options.cell
    if not session.arrived() or cell is None:
        return
    if cell[0] >= len(found.steps) or cell[1] >= len(found.steps[cell[0]].candidates):
        session.say(Notice("look", {"name": "cell", "asked": session.asked("cell") or ""}))


def _arithmetic(p: Page, found: BeamSearch) -> None:
    """Score = Σ ln p / lp of the best hypothesis, and of greedy's or, where that is the best, of the runner-up."""
    best, greedy, alpha, names = found.best, found.greedy, found.options.length_penalty, p.table("hypotheses")
    lines = [_score(p, names["best"], best, alpha)]
    if best.ids != greedy.ids:
        lines.append(_score(p, names["greedy"], greedy, alpha))
    elif len(found.hypotheses) > 1:
        lines.append(_score(p, names["next"], found.hypotheses[1], alpha))
    why = p.text("no_penalty" if alpha == 0 else "penalty")
    p.arithmetic("of_beam", alpha=Raw(f"{alpha:g}"), lines=Raw("\n\n".join(lines)), why=Raw(why))


def _score(p: Page, name: str, hypothesis: Hypothesis, alpha: float) -> str:
    log_probs, length = hypothesis.log_probs, len(hypothesis.ids)
    terms = " ".join(f"- {number(-value)}" if value < 0 else f"+ {number(value)}" for value in log_probs[:TERMS])
    if length > TERMS:
        left = p.text("terms_more", count=length - TERMS)
        terms += rf" - \underbrace{{{number(-sum(log_probs[TERMS:]))}}}_{{\text{{{left}}}}}"
    text = shortened(p.view.checkpoint.tokenizer.decode(hypothesis.tokens), SENTENCE_LENGTH)
    return p.text(
        "of_hypothesis", name=name, text=markdown(text), terms=terms, total=number(hypothesis.total), length=length,
        alpha=f"{alpha:g}", penalty=number(length_penalty(length, alpha)), score=number(hypothesis.score),
    )  # fmt: skip


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
