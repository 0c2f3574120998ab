"""The numbers of each view of training, as CSV."""

from collections.abc import Iterator, Sequence

import numpy as np

from pages.training.compute import GradientStep, RunHistory, SnapshotPrediction
from viz_core.app.csv_files import Cell, array_csv, csv_file, written
from viz_core.explain import Explanation
from viz_core.tokenizer import Tokenizer
from viz_core.trace import Array, Doubles, Floats
from viz_core.training.history import History
from viz_core.training.live import Recipe, Snapshot
from viz_core.training.loss import loss_of_probability
from viz_core.training.material import Material
from viz_core.training.pairs import EXAMPLE, solved
from viz_core.training.run import TrainingStep
from viz_core.training.scheduled import SecondReading
from viz_core.training.settings import noam
from viz_core.training.tuning import Evaluation

Lines = Iterator[list[Cell]]


@csv_file("step loss learning_rate own_words guided_penalty sequence_accuracy token_accuracy token_accuracy_free_running")
def live_csv(run: RunHistory) -> Lines:
    """Each step of a live run; the accuracies are empty between its snapshots."""
    snapshots = {snapshot.step: snapshot for snapshot in run.snapshots}
    for step in run.measured:
        shot = snapshots.get(step.step)
        accuracies: list[Cell] = [None] * 3 if shot is None else [shot.accuracy, shot.teacher_forced, shot.free_running]
        yield [step.step, step.loss, step.learning_rate, step.own, step.paid, *accuracies]


@csv_file("layer head query_index reads key_index source weight")
def example_csv(snapshot: Snapshot, recipe: Recipe) -> Lines:
    """Cross attention of the example, a line for each cell; position 1 reads the start token."""
    answer = [None, *solved(recipe.task, EXAMPLE)]
    keys = [*EXAMPLE, None]
    for layer, head, query, key in np.ndindex(snapshot.weights.shape):
        weight = float(snapshot.weights[layer, head, query, key])
        yield [layer + 1, head + 1, query + 1, answer[query], key + 1, keys[key], weight]


@csv_file("position reads should_write id probability minus_log_prob smoothing loss")
def loss_csv(explanation: Explanation, losses: Doubles, hard: Doubles, smoothing: float) -> Lines:
    """A line for each position: what the decoder reads and should write, its −ln p, and the loss with smoothing."""
    tokens = zip(explanation.target.tokens, explanation.output, hard.tolist(), losses.tolist(), strict=True)
    for position, (read, write, plain, smoothed) in enumerate(tokens, 1):
        yield [position, read.text, write.text, write.id, float(np.exp(-plain)), plain, smoothing, smoothed]


@csv_file("position random_number read_id own_word correct correct_id should_write minus_log_prob teacher_forcing")
def mixed_csv(explanation: Explanation, reading: SecondReading, forced: Doubles, mixed: Doubles) -> Lines:
    """A line for each position: what the second pass read there, and −ln p after the mixture and with teacher forcing."""
    for t, (correct, write) in enumerate(zip(explanation.target.tokens, explanation.output, strict=True)):
        drawn = reading.draws[t] if t else None
        about: list[Cell] = [t + 1, drawn, reading.ids[t], int(reading.own[t]), correct.text, correct.id, write.text]
        yield [*about, float(mixed[t]), float(forced[t])]


def curve_csv(weights: Doubles, losses: Doubles, step: GradientStep) -> bytes:
    """The loss over one weight, point by point, with the tangent; the last line is the weight after the step."""
    values, all_losses = np.append(weights, step.new_weight), np.append(losses, step.new_loss)
    tangent = step.loss + step.slope * (values - step.weight)
    rows = ([*map(float, line)] for line in zip(values, all_losses, tangent, strict=True))
    return written("weight loss tangent", rows)


def attention_gradient_csv(queries: Sequence[str], keys: Sequence[str], weights: Floats, slopes: Floats) -> bytes:
    """One head, a line for each unmasked cell: attention weight A and ∂L/∂A."""
    columns = "query_index query key_index key attention gradient"
    return array_csv(columns, [queries, keys], weights, slopes, where=~np.isnan(slopes))


def guided_csv(weights: Array, cost: Array, queries: Sequence[str], keys: Sequence[str]) -> bytes:
    """One head, a line for each cell: attention A, penalty W, and A·W."""
    columns = "query_index query key_index key attention penalty attention_times_penalty"
    return array_csv(columns, [queries, keys], weights, cost, weights * cost)


@csv_file("step learning_rate logged")
def noam_csv(end: int, d_model: int, warmup: int, logged: Sequence[tuple[int, float]]) -> Lines:
    """The learning rate of every step by the formula, beside the logged one, which is empty where none was logged."""
    own = dict(logged)
    for step in range(1, end + 1):
        yield [step, noam(step, d_model, warmup), own.get(step)]


def smoothing_csv(shares: Doubles, size: int, epsilons: Sequence[float]) -> bytes:
    """The loss at one position, by the probability of the correct token, for each ε."""
    columns = [loss_of_probability(shares, size, epsilon) for epsilon in epsilons]
    rows = ([float(share), *map(float, losses)] for share, *losses in zip(shares, *columns, strict=True))
    return written(" ".join(["probability", *(f"loss_epsilon_{epsilon:g}" for epsilon in epsilons)]), rows)


@csv_file("step loss learning_rate bleu bleu_averaged")
def history_csv(history: History) -> Lines:
    """The logged training of a checkpoint; a cell is empty where nothing was logged at that step."""
    series = [dict(points) for points in (history.loss, history.rate, history.last, history.averaged)]
    for step in sorted(set().union(*series)):
        yield [step, *(points.get(step) for points in series)]


@csv_file("step own_output loss position correct id log_prob probability top_prediction top_id")
def snapshots_csv(predictions: Sequence[SnapshotPrediction], correct: Explanation, tokenizer: Tokenizer) -> Lines:
    """A line for each snapshot and each correct token; `step` is empty at the end of the training."""
    for snapshot in predictions:
        output = tokenizer.decode(snapshot.written)
        for position, (token, log_prob, best) in enumerate(zip(correct.output, snapshot.log_probs, snapshot.best, strict=True), 1):
            top = tokenizer.token_text(best)
            about: list[Cell] = [snapshot.step, output, snapshot.loss, position, token.text, token.id]
            yield [*about, log_prob, float(np.exp(float(log_prob))), top, best]


@csv_file("step batch_loss learning_rate held_out_loss held_out_bleu held_out_exact everyday_loss everyday_bleu everyday_exact")
def tuning_csv(measured: Sequence[TrainingStep], evaluations: Sequence[Evaluation]) -> Lines:
    """Each step of a fine-tuning; losses and BLEU on the pairs are empty between the evaluations."""
    batches, found_at = {one.step: one for one in measured}, {one.step: one for one in evaluations}
    for step in sorted({*batches, *found_at}):
        batch, evaluation = batches.get(step), found_at.get(step)
        scores: list[Cell] = []
        for score in (evaluation.held_out, evaluation.everyday) if evaluation else (None, None):
            scores += [score.loss, score.bleu, score.right] if score else [None] * 3
        yield [step, batch.loss if batch else None, batch.learning_rate if batch else None, *scores]


@csv_file("kind source reference before now")
def translations_csv(material: Material, evaluations: Sequence[Evaluation]) -> Lines:
    """Each held-out and everyday sentence: source, reference, and the translations before fine-tuning and now."""
    first, last = evaluations[0], evaluations[-1]
    held_out = ("held out", material.held_out, first.held_out, last.held_out)
    everyday = ("everyday", material.everyday, first.everyday, last.everyday)
    for kind, pairs, before, now in (held_out, everyday):
        if before and now:
            outputs = zip(pairs, before.outputs, now.outputs, strict=True)
            for (source, reference), old, new in outputs:
                yield [kind, source, reference, old, new]
