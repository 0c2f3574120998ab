"""Weights that come from others: from another checkpoint, and the mean of several epochs' ends."""

from dataclasses import replace
from pathlib import Path

import torch

from viz_core.checkpoint import Checkpoint
from viz_core.model import Transformer
from viz_core.tokenizer import SPACE, BpeTokenizer
from viz_core.training.averaging import FOLDER, keep, mean
from viz_core.training.tuning import take_weights

WORDS = [f"{SPACE}umbrella", f"{SPACE}茶", f"{SPACE}a", "茶", "壶"] * 3


def test_tokens_that_both_vocabularies_have_keep_their_vectors(checkpoint: Checkpoint) -> None:
    tokenizer = BpeTokenizer.train(WORDS, 400)
    config = replace(checkpoint.config, source_vocab=len(tokenizer), target_vocab=len(tokenizer))
    torch.manual_seed(0)
    model = Transformer(config)
    before = model.source_embedding.weight.detach().clone()
    take_weights(model, tokenizer, checkpoint)
    old, new = checkpoint.model.source_embedding.weight, model.source_embedding.weight
    for token in ("⟨/s⟩", "<0xE4>", "a", f"{SPACE}a"):
        assert torch.equal(new[tokenizer.vocab.index(token)], old[checkpoint.tokenizer.vocab.index(token)]), token
    for token in ("茶", "壶"):
        assert token not in checkpoint.tokenizer.vocab
        assert torch.equal(new[tokenizer.vocab.index(token)], before[tokenizer.vocab.index(token)]), token
    for name, parameter in checkpoint.model.named_parameters():
        if name.startswith(("encoder", "decoder")):
            assert torch.equal(model.get_parameter(name), parameter), name


def test_the_last_epochs_are_averaged_and_older_ones_deleted(checkpoint: Checkpoint, tmp_path: Path) -> None:
    torch.manual_seed(0)
    models = [Transformer(checkpoint.config) for _ in range(4)]
    for epoch, model in enumerate(models, start=1):
        keep(tmp_path, model, epoch, 3)
        assert (mean(tmp_path, model, epoch, 3) is None) == (epoch < 3)
    assert sorted(path.stem for path in (tmp_path / FOLDER).iterdir()) == ["2", "3", "4"]
    found = mean(tmp_path, models[-1], 4, 3)
    assert found
    for name, parameter in found.named_parameters():
        three = torch.stack([model.get_parameter(name) for model in models[1:]])
        torch.testing.assert_close(parameter, three.mean(0))
