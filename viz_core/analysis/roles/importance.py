"""Importance of heads by ablation, of one output and over many sentences (Voita et al. 2019, §4; Michel et al. 2019, §3.2)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from viz_core.analysis.roles.table import Bleu
from viz_core.bleu import bleu
from viz_core.checkpoint import Checkpoint
from viz_core.decoding import translate
from viz_core.edits import Edits, Head, site_edits
from viz_core.edits.interventions import attention_at
from viz_core.explain import Explanation, explain
from viz_core.model import Transformer
from viz_core.progress import Progress, counted
from viz_core.taps import OFF, Edit, Editor
from viz_core.trace import BLOCK, Doubles, Kind, heads_shape

CELLS = 1 << 22  # logits computed at once, 16 MB


@dataclass(frozen=True, eq=False)
class Importance:
    """Log-probabilities of one output, with all heads and without each one.

    Attributes:
        log_probs: ln p of each token of the output with all heads, (T,).
        without: the same without one head, for each attention (layers, heads, T).
    """

    log_probs: Doubles
    without: Mapping[Kind, Doubles]

    def drops(self, kind: Kind) -> Doubles:
        """Σ ln p − Σ ln p without the head, in nats, (layers, heads); negative where the output is more probable without it."""
        drops: Doubles = self.log_probs.sum() - self.without[kind].sum(-1)
        return drops


@torch.inference_mode()
def importance(model: Transformer, explanation: Explanation, cells: int = CELLS, progress: Progress | None = None) -> Importance:
    """Ablates every head of the model in one batch: each row is the sentence without one of them.

    The output is teacher-forced; the explanation's edits act in every row.

    Args:
        cells: logits to compute at once; a longer sentence goes in several batches.
    """
    config = model.config
    at_once = max(1, cells // (len(explanation.target) * config.target_vocab))
    every = {kind: [Head(kind, *place) for place in np.ndindex(heads_shape(config, kind))] for kind in BLOCK}
    losses: list[Tensor] = []
    # The encoder's output is the same for all heads of the decoder.
    parts = [
        (heads[start : start + at_once], shared)
        for heads, shared in (([None, *every["self"]], False), ([*every["masked"], *every["cross"]], True))
        for start in range(0, len(heads), at_once)
    ]
    for heads, shared in counted(parts, progress):
        losses.append(_without(model, explanation, heads, shared))
    whole, *parts = torch.cat(losses).double().split([1, *map(len, every.values())])
    drops = {kind: part.unflatten(0, heads_shape(config, kind)).numpy() for kind, part in zip(every, parts, strict=True)}
    return Importance(whole[0].numpy(), drops)


def _without(model: Transformer, explanation: Explanation, heads: Sequence[Head | None], shared: bool) -> Tensor:
    """Log-probability of each output token, (rows, T), row i without heads[i]; shared: one encoder pass serves all rows."""
    rows = len(heads)
    source, target = torch.tensor([explanation.source.ids]), torch.tensor([explanation.target.ids])
    output = torch.tensor([[token.id for token in explanation.output]])
    tap = Editor(site_edits(explanation.edits, model.config), Editor(_zeros(heads)))
    memory, memory_mask = model.encode(source if shared else source.expand(rows, -1), tap)
    states = model.decode(target.expand(rows, -1), memory.expand(rows, -1, -1), memory_mask, tap)
    logits = model.generator.logits(states)  # (rows, T, V)
    written = logits.gather(-1, output.expand(rows, -1)[..., None])[..., 0]
    return written - logits.logsumexp(-1)


def _zeros(heads: Sequence[Head | None]) -> dict[str, Edit]:
    """Edits that set the mixed values of heads[i] to 0 in row i of the batch."""
    places: dict[str, list[tuple[int, int]]] = {}
    for row, head in enumerate(heads):
        if head is not None:
            places.setdefault(f"{attention_at(head.kind, head.layer)}.mix", []).append((row, head.head))
    return {site: _zero(tuple(torch.tensor(pairs).T)) for site, pairs in places.items()}


def _zero(indices: tuple[Tensor, ...]) -> Edit:
    return lambda mix: mix.index_put(indices, mix.new_zeros(()))


def log_prob_drops(checkpoint: Checkpoint, texts: Sequence[str], progress: Progress | None = None) -> dict[Kind, Doubles]:
    """Drop in log-probability of the model's own translations without each head (Voita et al. 2019, §4; Michel et al. 2019, §3.2),
    in nats, mean over the texts, none of them blank.
    """
    sums = _no_drops(checkpoint)
    for text in counted(texts, progress):
        measured = importance(checkpoint.model, explain(checkpoint, text))
        for kind in sums:
            sums[kind] += measured.drops(kind)
    return {kind: total / max(1, len(texts)) for kind, total in sums.items()}


def bleu_drops(checkpoint: Checkpoint, texts: Sequence[str], references: Sequence[str], progress: Progress | None = None) -> Bleu:
    """BLEU, and its drop without each head (Michel et al. 2019, §3.2): all texts are decoded with all heads, then without each."""

    def score(edits: Edits) -> float:
        changed = site_edits(edits, checkpoint.config)
        answers = translate(checkpoint, texts, tap=Editor(changed) if changed else OFF)
        return bleu(answers, [[reference] for reference in references], checkpoint.target_language).score

    drops, whole = _no_drops(checkpoint), 0.0
    for place in counted([None, *(Head(kind, *index) for kind in BLOCK for index in np.ndindex(drops[kind].shape))], progress):
        if place is None:
            whole = score(Edits())
        else:
            drops[place.kind][place.layer, place.head] = whole - score(Edits(heads={place}))
    return Bleu(whole, drops, len(texts))


def _no_drops(checkpoint: Checkpoint) -> dict[Kind, Doubles]:
    return {kind: np.zeros(heads_shape(checkpoint.config, kind)) for kind in BLOCK}
