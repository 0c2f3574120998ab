"""Models of one's own, of torch.nn.Transformer and of The Annotated Transformer, give the same numbers after their import."""

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from tests.importing.annotated_reference import AnnotatedTransformer
from tests.importing.conftest import lines
from tests.importing.parity import TOLERANCE, assert_same_attention, padded
from viz_core.checkpoint import Checkpoint, load
from viz_core.decoding import greedy
from viz_core.explain import traced_pass
from viz_core.importing import Options, read_model
from viz_core.importing.write import save
from viz_core.words import split_words

D, HEADS, WIDTH, PAD, BOS, EOS = 32, 4, 48, 1, 2, 3
SPECIAL = ["<unk>", "<pad>", "<bos>", "<eos>"]
SOURCES, TARGETS = [[BOS, 17, 25, 33, 41, EOS], [BOS, 70, EOS]], [[BOS, 50, 51, 52], [BOS, 53]]
Attention = Callable[[str, int], Tensor]


class Positions(nn.Module):
    """As the tutorial has them: a buffer of which each forward pass takes the beginning."""

    pos_embedding: Tensor

    def __init__(self) -> None:
        super().__init__()
        angle = torch.arange(100)[:, None] * torch.exp(-torch.arange(0, D, 2) * math.log(10000) / D)
        self.register_buffer("pos_embedding", torch.stack([angle.sin(), angle.cos()], -1).flatten(1)[:, None])


class TokenEmbedding(nn.Module):
    def __init__(self, vocab: int) -> None:
        super().__init__()
        self.embedding = nn.Embedding(vocab, D)


class Seq2Seq(nn.Module):
    """The model of PyTorch's tutorial of translation, around a torch.nn.Transformer."""

    def __init__(self, source: int, target: int, *, scaled: bool = True, norms: bool = True, bias: bool = True, **how: Any) -> None:
        super().__init__()
        self.transformer = nn.Transformer(D, HEADS, 3, 2, WIDTH, batch_first=True, **how)
        if not norms:
            self.transformer.encoder.norm = self.transformer.decoder.norm = None
        self.generator = nn.Linear(D, target, bias=bias)
        self.src_tok_emb, self.tgt_tok_emb = TokenEmbedding(source), TokenEmbedding(target)
        self.positional_encoding, self.scale = Positions(), math.sqrt(D) if scaled else 1.0

    def read(self, embedding: TokenEmbedding, ids: Tensor) -> Tensor:
        return embedding.embedding(ids) * self.scale + self.positional_encoding.pos_embedding[: ids.size(1), 0]

    def forward(self, source: Tensor, target: Tensor) -> Tensor:
        """Ids (B, S) and (B, T) → logits, (B, T, V)."""
        states = self.transformer(
            self.read(self.src_tok_emb, source), self.read(self.tgt_tok_emb, target),
            tgt_mask=torch.ones(target.size(1), target.size(1), dtype=torch.bool).triu(1),
            src_key_padding_mask=source == PAD, tgt_key_padding_mask=target == PAD, memory_key_padding_mask=source == PAD,
        )  # fmt: skip
        return self.generator(states)


TORCH: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "as in the tutorial": ({}, {}),
    "pre-norm": ({"norm_first": True}, {"norm_first": True}),
    "post-norm as in the paper, without final norms": ({"norms": False}, {}),
    "gelu, its own eps": ({"activation": "gelu", "layer_norm_eps": 1e-3}, {"activation": "gelu", "layer_norm_eps": 1e-3}),
    "embeddings as they are, no bias": ({"scaled": False, "bias": False}, {"scaled_embeddings": False}),
}


def vocabulary(language: str) -> list[str]:
    return [*SPECIAL, *sorted({word.text.lower() for text in lines(language)[:60] for word in split_words(text, language)})]


def imported(folder: Path, theirs: nn.Module, said: dict[str, Any]) -> Checkpoint:
    """Its state dict in a folder with import.json, imported, saved and loaded again."""
    for name, parameter in theirs.named_parameters():
        if name.endswith(("embedding.weight", "lut.weight")):  # as small as those that were trained
            parameter.data *= D**-0.5
        elif parameter.dim() == 1:  # no norm is left at 1 and 0
            parameter.data += 0.2 * torch.randn_like(parameter)
    theirs.eval()
    torch.save({"epoch": 3, "model_state_dict": theirs.state_dict()}, folder / "best.pt")
    for side, language in (("source", "de"), ("target", "en")):
        (folder / f"{side}_vocab.json").write_text(json.dumps(vocabulary(language)))
    (folder / "import.json").write_text(json.dumps({"heads": HEADS, "languages": ["de", "en"], "lowercase": True} | said))
    save(read_model(folder, Options(max_len=64)), folder / "out", "here", half=False)
    return load(folder / "out")


def assert_same(theirs: nn.Module, ours: Checkpoint, attention: Attention) -> None:
    """Logits, all attention weights, and what greedy decoding writes."""
    with torch.inference_mode():
        expected = theirs(padded(SOURCES, PAD), padded(TARGETS, PAD))
        trace = traced_pass(ours, SOURCES, TARGETS)
        for row, read in enumerate(TARGETS):
            assert torch.allclose(trace["output.logits"][row, : len(read)], expected[row, : len(read)], rtol=0, atol=TOLERANCE)
        for kind, layers in (("self", 3), ("masked", 2), ("cross", 2)):
            for layer in range(layers):
                assert_same_attention(trace, kind, layer, attention(kind, layer), SOURCES, TARGETS)
        for source in SOURCES:
            written = [BOS]
            while len(written) <= 12 and written[-1] not in (EOS, PAD):
                written.append(int(theirs(torch.tensor([source]), torch.tensor([written]))[0, -1].argmax()))
            ends = next((at for at, i in enumerate(written) if i in (EOS, PAD)), len(written))
            assert written[1:ends] == greedy(ours.model, torch.tensor([source]), 12)[0]


@pytest.mark.parametrize(("how", "said"), TORCH.values(), ids=TORCH)
def test_a_torch_transformer(how: dict[str, Any], said: dict[str, Any], tmp_path: Path) -> None:
    torch.manual_seed(3)
    theirs = Seq2Seq(len(vocabulary("de")), len(vocabulary("en")), **how)
    ours = imported(tmp_path, theirs, said)
    inputs: dict[nn.Module, tuple[Any, Any]] = {}
    for module in theirs.modules():
        if isinstance(module, nn.MultiheadAttention):
            module.register_forward_pre_hook(lambda m, args, named: inputs.update({m: (args, named)}), with_kwargs=True)
    torch.backends.mha.set_fastpath_enabled(False)  # it would go past the modules
    try:
        with torch.inference_mode():
            theirs(padded(SOURCES, PAD), padded(TARGETS, PAD))
        first = dict(inputs)
    finally:
        torch.backends.mha.set_fastpath_enabled(True)

    def attention(kind: str, layer: int) -> Tensor:
        stack = theirs.transformer.encoder if kind == "self" else theirs.transformer.decoder
        module = stack.layers[layer].multihead_attn if kind == "cross" else stack.layers[layer].self_attn
        args, named = first[module]
        return module.forward(*args, **named | {"need_weights": True, "average_attn_weights": False})[1]

    assert_same(theirs, ours, attention)


def test_a_model_of_the_annotated_transformer(tmp_path: Path) -> None:
    torch.manual_seed(3)
    theirs: Any = AnnotatedTransformer(len(vocabulary("de")), len(vocabulary("en")), D, HEADS, WIDTH, 3, PAD)
    theirs.decoder.layers = theirs.decoder.layers[:2]
    ours = imported(tmp_path, theirs, {})
    weights: dict[tuple[str, int], Tensor] = {}
    with torch.inference_mode():
        theirs(padded(SOURCES, PAD), padded(TARGETS, PAD))
    for layer, each in enumerate(theirs.encoder.layers):
        weights["self", layer] = each.self_attn.weights
    for layer, each in enumerate(theirs.decoder.layers):
        weights |= {("masked", layer): each.self_attn.weights, ("cross", layer): each.src_attn.weights}
    assert_same(theirs, ours, lambda kind, layer: weights[kind, layer])
