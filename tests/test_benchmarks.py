"""The benchmarks run and compare like with like. How long anything takes is no test."""

from functools import partial

import pytest
import torch

from benchmarks import __main__ as command
from benchmarks import measure, peers, subject
from viz_core.config import ModelConfig


@pytest.mark.filterwarnings("ignore")
def test_quick_prints_every_row(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "keep_freed_memory", lambda: None)  # for the whole process, and the other tests are in it
    monkeypatch.setattr(measure, "WARM_UP", 0)
    small = ModelConfig(source_vocab=1000, target_vocab=1000, d_model=64, n_heads=4, n_layers=2, d_ff=64)
    monkeypatch.setattr(command, "untrained", partial(subject.untrained, small))
    monkeypatch.setattr(subject, "SHIPPED", subject.SHIPPED.with_name("en-de-tiny"))  # whose rows are those of the large one
    assert command.main(["--quick", "--without-server"]) == 0
    printed = capsys.readouterr().out
    wanted = [
        "torch.nn.Transformer", "MarianMT with", "greedy decoding / MarianMT.generate", "beam search of 5 / MarianMT.generate",
        "recording on / off", "lab: What if, an edit", "24 heads removed in one batch", "20 × 20", "100 × 100", "20 tokens",
        "50 tokens", "aims met",
    ]  # fmt: skip
    assert [words for words in wanted if words not in printed] == []


def test_the_peer_gives_our_numbers() -> None:
    model = subject.untrained()
    source, target = subject.some_ids(7, 8000), subject.some_ids(5, 8000)
    with torch.inference_mode():
        assert (model(source, target) - peers.TorchTransformer(model)(source, target)).abs().max() < 1e-4
