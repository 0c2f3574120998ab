"""Importance of heads by ablation over many sentences, step by step so that a caller can show progress and stop."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

import numpy as np

from viz_core.analysis.ablation import importance
from viz_core.analysis.roles.table import Bleu, Floats
from viz_core.bleu import bleu
from viz_core.checkpoint import Checkpoint
from viz_core.decoding import translate
from viz_core.edits import Edits, Head, site_edits
from viz_core.explain import explain
from viz_core.taps import OFF, Editor
from viz_core.trace import BLOCK, Kind


class LogProbDrops:
    """Drop in log-probability (Voita et al. 2019, §4; Michel et al. 2019, §3.2). Yields after each sentence how many are done."""

    def __init__(self, checkpoint: Checkpoint, texts: Sequence[str]) -> None:
        self.checkpoint = checkpoint
        self.texts = [text for text in texts if text.strip()]
        self._sums: dict[Kind, Floats] = _zeros(checkpoint)
        self._done = 0

    def __len__(self) -> int:
        return len(self.texts)

    def __iter__(self) -> Iterator[int]:
        for text in self.texts:
            found = importance(self.checkpoint.model, explain(self.checkpoint, text))
            for kind in self._sums:
                self._sums[kind] += found.drops(kind)
            self._done += 1
            yield self._done

    def drops(self) -> dict[Kind, Floats]:
        """Mean of the sentences done, in nats."""
        return {kind: drops / max(1, self._done) for kind, drops in self._sums.items()}


class BleuDrops:
    """Drop in BLEU (Michel et al. 2019, §3.2). Iterating decodes all texts without each head, and yields how many decodings are
    done.
    """

    def __init__(self, checkpoint: Checkpoint, texts: Sequence[str], references: Sequence[str]) -> None:
        self.checkpoint, self.texts = checkpoint, texts
        self.references = [[reference] for reference in references]
        config = checkpoint.config
        places = itertools.product(BLOCK, range(config.n_layers), range(config.n_heads))
        self.heads = [Head(kind, layer, head) for kind, layer, head in places]
        self._whole = 0.0
        self._drops: dict[Kind, Floats] = _zeros(checkpoint)

    def __len__(self) -> int:
        return 1 + len(self.heads)

    def __iter__(self) -> Iterator[int]:
        self._whole = self._score(Edits())
        yield 1
        for done, (kind, layer, head) in enumerate(self.heads, start=2):
            self._drops[kind][layer, head] = self._whole - self._score(Edits(heads={Head(kind, layer, head)}))
            yield done

    def bleu(self) -> Bleu:
        return Bleu(self._whole, self._drops, len(self.texts))

    def _score(self, edits: Edits) -> float:
        made, checkpoint = site_edits(edits, self.checkpoint.config), self.checkpoint
        tap = Editor(made) if made else OFF
        answers = translate(checkpoint.model, checkpoint.tokenizer, checkpoint.source_language, self.texts, tap=tap)
        return bleu(answers, self.references).score


def _zeros(checkpoint: Checkpoint) -> dict[Kind, Floats]:
    return {kind: np.zeros((checkpoint.config.n_layers, checkpoint.config.n_heads)) for kind in BLOCK}
