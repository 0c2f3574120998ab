"""Output: logits, their softmax, and the piece that is written, step by step."""

from math import exp

from viz_core.analysis.distribution import distribution, logit, logit_limits, score, shortlist, vocabulary_label
from viz_core.figures.base import percent
from viz_core.figures.output import Candidates, candidate_bars, sentence_so_far, steps_overview
from viz_core.figures.scores import Judged, judged_table
from viz_core.figures.table import amount
from viz_core.ui import page
from viz_core.ui.markup import Raw, latex, number

with page("output") as p:
    view, ex, now = p.view, p.view.explanation, p.view.current
    spread = distribution(view.trace, view.step)
    tokenizer = view.checkpoint.tokenizer
    wrong = now.expected.id != now.chosen.id

    said = p.text("instead", piece=vocabulary_label(tokenizer, now.chosen.id)) if wrong else ""
    p.html(sentence_so_far(ex.text[: now.expected.start], now.expected.text, ahead=said, end=p.text("nothing"), palette=p.palette))
    bits = {"bits": amount(spread.entropy), "choices": amount(spread.equal_choices), "vocabulary": f"{len(tokenizer):,}"}
    chosen = {"chosen": now.chosen.text, "percent": percent(now.probability(now.chosen.id))}
    typed = {"typed": now.expected.text, "typed_percent": percent(now.probability(now.expected.id))}
    rank = f"{now.rank(now.expected.id):,}"
    p.write("reading_typed" if wrong else "reading", rank=rank, **bits, **chosen, **typed)

    with p.controls():
        show = p.choose("show", ["probabilities", "logits", "both"])
        ids = shortlist(now, int(p.choose("count", ["5", "10", "20"])))
        labels = [vocabulary_label(tokenizer, i) for i in ids]
        picked = p.pick("piece", labels, ids.index(now.expected.id))
    others = len(tokenizer) - len(ids)
    pieces = Candidates(
        labels=labels,
        ranks=[now.rank(i) for i in ids],
        logits=spread.logits[ids],
        probabilities=spread.probabilities[ids],
        before=distribution(view.trace, view.step - 1).probabilities[ids] if view.step else None,
        rest=spread.rest(ids),
        rest_logits=spread.rest_logits(ids),
        chosen=ids.index(now.chosen.id),
        typed=ids.index(now.expected.id) if wrong else None,
    )
    names = (p.text("logit_axis"), p.text("probability_axis"), p.text("ghost"))
    limits = logit_limits(view.trace)
    rest = p.text("rest", count=f"{others:,}")
    p.show(
        candidate_bars(pieces, show=show, rest=rest, names=names, limits=limits, picked=picked, palette=p.palette), clicks="piece"
    )

    all_steps = score(ex.steps)
    best = [vocabulary_label(tokenizer, step.chosen.id) for step in ex.steps]
    figure = steps_overview(
        all_steps.probabilities,
        [piece.label for piece in ex.output],
        title=p.text("overview_typed" if ex.forced else "overview"),
        axes=(p.text("steps"), p.text("probability_axis")),
        lit=view.step,
        best=(all_steps.best, best, p.text("best")) if ex.forced else None,
        palette=p.palette,
    )
    p.show(figure, "overview", clicks="step")
    if ex.forced:
        rows = [
            Judged(
                piece=piece.label,
                probability=step.probability(piece.id),
                rank=step.rank(piece.id),
                log_prob=float(step.log_probs[piece.id]),
                best=name,
                best_probability=step.probability(step.chosen.id),
            )
            for step, piece, name in zip(ex.steps, ex.output, best, strict=True)
        ]
        headings = [p.text(f"column_{name}") for name in ("step", "piece", "probability", "rank", "log", "best")]
        words = {"same": p.text("same"), "total": p.text("total")}
        p.html(judged_table(rows, headings=headings, log_prob=all_steps.log_prob, lit=view.step, palette=p.palette, **words))
        p.write("summary", log_prob=all_steps.log_prob, perplexity=all_steps.perplexity, pieces=len(rows))

    one = logit(view.checkpoint.model, view.trace, view.step, ids[picked])
    summands = [p.text("term", x=number(term.state), e=number(term.weight), dim=term.index + 1) for term in one.terms]
    if one.dims > len(one.terms):
        summands.append(p.text("remainder", others=number(one.others), count=one.dims - len(one.terms)))
    p.arithmetic(
        piece=Raw(latex(labels[picked])),
        shown=labels[picked],
        logit=one.value,
        sum=Raw(" + ".join(summands)),
        exp=exp(one.value),
        total=exp(spread.log_sum_exp),
        log_total=spread.log_sum_exp,
        log_prob=float(spread.log_probs[ids[picked]]),
        percent=Raw(latex(percent(float(spread.probabilities[ids[picked]])))),
        matrix=p.text("tied" if view.config.tied_embeddings else "untied"),
        **bits,
    )
