"""Output: logits, their softmax, and the piece that is written, step by step."""

from math import exp

from viz_core.analysis.distribution import at_temperature, distribution, logit, score, vocabulary_label
from viz_core.components.odds import show_odds
from viz_core.figures.base import percent
from viz_core.figures.scores import Judged, judged_table
from viz_core.figures.table import amount
from viz_core.payload.odds import candidates, odds_payload
from viz_core.ui import page
from viz_core.ui.markup import Raw, latex, markdown, number

with page("output") as p:
    view, ex, now = p.view, p.view.explanation, p.view.current
    spread = distribution(view.trace, view.step)
    tokenizer = view.checkpoint.tokenizer

    p.mounted["odds"] = odds_payload(ex, tokenizer)
    show_odds(p.mounted["odds"])

    # A cell of this page is [step, index of the candidate]; that of another step picks nothing here.
    ids = candidates(ex)[view.step].tolist()
    step, index = p.look.cell or (view.step, -1)
    picked = ids[index] if step == view.step and index < len(ids) else now.expected.id
    label = vocabulary_label(tokenizer, picked)

    wrong = now.expected.id != now.chosen.id
    said = {
        "vocabulary": f"{len(tokenizer):,}",
        "rank": f"{now.rank(now.expected.id):,}",
        "chosen": markdown(now.chosen.text),
        "percent": percent(now.probability(now.chosen.id)),
        "typed": markdown(now.expected.text),
        "typed_percent": percent(now.probability(now.expected.id)),
    }
    one = logit(view.checkpoint.model, view.trace, view.step, picked)
    summands = [p.text("term", x=number(term.state), e=number(term.weight), dim=term.index + 1) for term in one.terms]
    if one.dims > len(one.terms):
        summands.append(p.text("remainder", others=number(one.others), count=one.dims - len(one.terms)))
    tempered = ""
    if p.look.temperature != 1:
        warm = at_temperature(spread.logits, p.look.temperature)
        values = {"t": f"{p.look.temperature:g}", "logit": number(one.value), "log_total": number(warm.log_sum_exp)}
        divided = {"divided": number(one.value / p.look.temperature), "percent": latex(percent(float(warm.probabilities[picked])))}
        tempered = p.text("tempered", **values, **divided)
    p.arithmetic(
        reading=Raw(p.text("reading_typed" if wrong else "reading", **said)),
        piece=Raw(latex(label)),
        shown=label,
        logit=one.value,
        sum=Raw(" + ".join(summands)),
        exp=exp(one.value),
        total=exp(spread.log_sum_exp),
        log_total=spread.log_sum_exp,
        log_prob=float(spread.log_probs[picked]),
        percent=Raw(latex(percent(float(spread.probabilities[picked])))),
        matrix=p.text("tied" if view.config.tied_embeddings else "untied"),
        bits=amount(spread.entropy),
        choices=amount(spread.equal_choices),
        vocabulary=f"{len(tokenizer):,}",
        tempered=Raw(tempered),
    )

    if ex.forced:
        all_steps = score(ex.steps)
        rows = [
            Judged(
                piece=piece.label,
                probability=step.probability(piece.id),
                rank=step.rank(piece.id),
                log_prob=float(step.log_probs[piece.id]),
                best=vocabulary_label(tokenizer, step.chosen.id),
                best_probability=step.probability(step.chosen.id),
            )
            for step, piece in zip(ex.steps, ex.output, strict=True)
        ]
        headings = [p.text(f"column_{name}") for name in ("step", "piece", "probability", "rank", "log", "best")]
        words = {"same": p.text("same"), "total": p.text("total")}
        p.html(judged_table(rows, headings=headings, log_prob=all_steps.log_prob, lit=view.step, palette=p.palette, **words))
        p.write("summary", log_prob=all_steps.log_prob, perplexity=all_steps.perplexity, pieces=len(rows))
