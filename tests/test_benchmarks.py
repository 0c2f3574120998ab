"""The benchmarks run and compare like with like. How long anything takes is no test."""

from functools import partial

import pytest
import torch

from benchmarks import __main__ as command
from benchmarks import decoding, measure, peers, subject
from benchmarks.measure import Row, table
from viz_core.config import ModelConfig
from viz_core.explain import explain


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


def test_rerunning_writes_what_the_cache_writes() -> None:
    model, source = subject.untrained(), subject.some_ids(6, 8000)
    assert decoding.rerun(model, source, 5) == decoding.cached(model, source, 5)


def test_all_who_decode_write_the_same_number_of_tokens() -> None:
    model, source = subject.untrained(), subject.some_ids(6, 8000)
    marian = peers.Marian(model.config, attention="sdpa")
    written = [
        decoding.cached(model, source, 7),
        decoding.searched(model, source, 7),
        *(marian.write(source, 7, n) for n in (1, 5)),
    ]
    assert [len(ids) for ids in written] == [7] * 4


def test_a_missed_aim_is_said() -> None:
    rows = [Row("slow", 3.0, 2.0, aim=1.1), Row("fast", 1.0, 2.0, aim=1.1), Row("alone", 5.0, aim=4, unit="s"), Row("bare", 1.0)]
    assert [row.verdict for row in rows] == ["MISSED", "met", "MISSED", ""]
    assert len({len(line.rstrip()) for line in table(rows).splitlines()[:2]}) == 1


def test_the_sentences_to_step_through_have_the_length_they_are_measured_at() -> None:
    checkpoint = subject.shipped()
    assert checkpoint is not None
    explanation = explain(checkpoint, *subject.pair(checkpoint, 20))
    assert (len(explanation.source), len(explanation.target)) == (20, 20)
