"""The traced pass beside the peers' passes, and recording on beside off."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import torch
from torch import Tensor

from benchmarks.measure import Row, Work, side_by_side, threads
from benchmarks.peers import Marian, TorchTransformer
from benchmarks.subject import some_ids
from viz_core.model import Transformer
from viz_core.taps import Recorder


@torch.inference_mode()
def rows(model: Transformer, lengths: tuple[int, ...], thread_counts: tuple[int, ...], rounds: int) -> Iterator[Row]:
    """Three rows for each length (source and target alike) and number of threads."""
    torch_transformer, marian = TorchTransformer(model), Marian(model.config)
    for length in lengths:
        source = some_ids(length, model.config.source_vocab)
        target = some_ids(length, model.config.target_vocab).flip(1)
        others: list[tuple[str, Work, float]] = [
            ("traced pass / torch.nn.Transformer, untraced", partial(torch_transformer, source, target), 1.1),
            ("traced pass / MarianMT with states and attentions", partial(marian, source, target), 0.7),
            ("recording on / off", partial(model, source, target), 1.1),
        ]
        for count in thread_counts:
            for name, other, aim in others:
                with threads(count):
                    times = side_by_side(partial(traced, model, source, target), other, rounds)
                yield Row(f"{name}, {length} × {length}", *times, aim=aim, threads=count)


def traced(model: Transformer, source: Tensor, target: Tensor) -> Recorder:
    """One pass with every site recorded."""
    recorder = Recorder()
    model(source, target, recorder)
    return recorder
