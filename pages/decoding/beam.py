"""Beam search: its settings, the tree of hypotheses, and the arithmetic of the scores."""

from pages.decoding.controls import ALPHA, EARLY, N_BEST, SIZE
from pages.decoding.data import beam_tree, decoding_limits
from viz_core.analysis.search import GREEDY, BeamOptions, BeamSearch, listed, search, written
from viz_core.app import session
from viz_core.app.arithmetic import arithmetic_section, show_arithmetic
from viz_core.app.csv_files import Lines
from viz_core.app.long_work import pooled
from viz_core.app.page import Page
from viz_core.decoding import Hypothesis, length_penalty
from viz_core.explain import Notice
from viz_core.tokenizer import Tokenizer

TEXTS = ("of_beam", "of_hypothesis", "terms_more", "penalty", "no_penalty")
"""Keys of the texts of the arithmetic."""


def show_beam(p: Page) -> None:
    """The tree, and the arithmetic of the best hypothesis and of greedy's."""
    options = _options(p)
    tokenizer = p.view.checkpoint.tokenizer
    beam = pooled(search, p.view.checkpoint, p.view.explanation, options, says=p.texts["searching"])
    show_limits(p)
    if not beam.known:
        p.write("unknown")
        return
    _check_picked(p, beam)
    early = "on" if options.early_stop else "off"
    p.answer(beam_tree, size=options.size, alpha=options.length_penalty, n_best=options.n_best, early=early)
    show_arithmetic(
        p,
        {key: p.texts[key] for key in TEXTS} | p.table("hypotheses"),
        figure="beam_tree",
        sections=[arithmetic_section("of_beam")],
    )
    columns = "step rank parent sentence_so_far token id log_prob total score fate forced"
    p.offer("search", f"beam{options.size}-candidates", columns, lambda: _candidates(beam, tokenizer))
    columns = "rank sentence greedy finished step token id log_prob total length_penalty score"
    p.offer("endings", f"beam{options.size}-hypotheses", columns, lambda: _hypotheses(beam, tokenizer))
    p.show_code("code_beam")


def greedy_of(p: Page) -> Hypothesis:
    """The greedy sentence; it needs a search only where the explained sentence is another one."""
    checkpoint, explanation = p.view.checkpoint, p.view.explanation
    alone = written(checkpoint, explanation)
    return alone or pooled(search, checkpoint, explanation, GREEDY, says=p.texts["searching"]).greedy


def _options(p: Page) -> BeamOptions:
    with p.controls():
        return BeamOptions(SIZE.draw(p), ALPHA.draw(p), N_BEST.draw(p), early_stop=EARLY.draw(p) == "on")


def show_limits(p: Page) -> None:
    """Notes on the limits of a decoding: where it stops early, that a typed target is not used, and which tokens an edit forces."""
    explanation = p.view.explanation
    if session.is_recorded() or explanation.given_target or explanation.edits.whole or explanation.edits.force:
        p.answer(decoding_limits, on_wall=False)


def _check_picked(p: Page, beam: BeamSearch) -> None:
    """A notice where a link asks for a candidate that this search does not have."""
    cell = p.view_options.cell
    if not session.is_link() or cell is None:
        return
    if cell[0] >= len(beam.steps) or cell[1] >= len(beam.steps[cell[0]].candidates):
        session.notify(Notice("look", {"name": "cell", "asked": session.parameter("cell") or ""}))


def _candidates(beam: BeamSearch, tokenizer: Tokenizer) -> Lines:
    """Every candidate of each step, the best first, with its scores and its fate.

    `parent` is the rank, among the unfinished hypotheses, of the one that it continues; `forced` is 1 where an edit forces it.
    """
    for i, step in enumerate(beam.steps):
        for rank, one in enumerate(step.candidates, 1):
            token = tokenizer.decode(step.parents[one.parent].tokens), tokenizer.token_text(one.token), one.token
            yield [i + 1, rank, one.parent + 1, *token, one.log_prob, one.total, one.score, one.fate, i in beam.forced]


def _hypotheses(beam: BeamSearch, tokenizer: Tokenizer) -> Lines:
    """The n best hypotheses, and greedy's, without a rank, if it is not among them: each token with the score up to there."""
    ranked = {hypothesis.ids: rank for rank, hypothesis in enumerate(beam.hypotheses, 1)}
    for one in listed(beam):
        about = ranked.get(one.ids), tokenizer.decode(one.tokens), one.ids == beam.greedy.ids, one.ended
        for i, token in enumerate(one.ids):
            penalty = length_penalty(i + 1, beam.options.length_penalty)
            numbers = one.log_probs[i], one.totals[i], penalty, one.scores[i]
            yield [*about, i + 1, tokenizer.token_text(token), token, *numbers]
