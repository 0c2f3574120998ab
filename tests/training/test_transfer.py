"""Starting from another checkpoint: what of its weights comes over, and what is refused."""

from dataclasses import replace

import torch

from viz_core.checkpoint import Checkpoint
from viz_core.model import Transformer
from viz_core.tokenizer import SPACE, BpeTokenizer
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
