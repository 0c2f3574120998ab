"""Models with random weights, built by the original libraries, as folders that a user would import."""

from __future__ import annotations

import io
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import sentencepiece
import torch

if TYPE_CHECKING:
    from transformers import MarianMTModel

pytest.register_assert_rewrite("tests.importing.parity")
SENTENCES = Path(__file__).parents[2] / "viz_core" / "analysis" / "sentences"


def lines(language: str) -> list[str]:
    return (SENTENCES / f"{language}.txt").read_text("utf-8").splitlines()


def hostile(count: int) -> list[str]:
    """Texts of signs that tokenizers trip over."""
    draw = random.Random(7)
    pools = ["abc déñ ", "你好世界", "\u0300\u0301\u0323eéa", "😀🏳️‍🌈 \t\u00a0▁", "<>/s&amp;", "ﬁﬀ①½ﾊﾞ\u3099각", "\x00\u200b\ufeff\n"]
    return ["".join(draw.choice(draw.choice(pools)) for _ in range(draw.randint(0, 30))) for _ in range(count)]


@pytest.fixture(scope="session")
def pieces() -> dict[str, bytes]:
    """A unigram model of SentencePiece for each language, learned from our own sentences."""
    found = {}
    for language in ("en", "de"):
        content = io.BytesIO()
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(lines(language)), model_writer=content, vocab_size=300, model_type="unigram", minloglevel=2
        )
        found[language] = content.getvalue()
    return found


@pytest.fixture(scope="session")
def vocab(pieces: dict[str, bytes]) -> dict[str, int]:
    """One vocabulary for both languages, as opus-mt has it: ⟨/s⟩ first, ⟨pad⟩ last."""
    own: list[str] = []
    for content in pieces.values():
        processor = sentencepiece.SentencePieceProcessor(model_proto=content)
        own += [processor.id_to_piece(i) for i in range(3, processor.get_piece_size())]
    return {token: i for i, token in enumerate(dict.fromkeys(["</s>", "<unk>", *own, ">>fra<<", "<pad>"]))}


def marian(vocab: dict[str, int], **changed: object) -> MarianMTModel:
    """A small Marian model; changed: fields of its configuration."""
    from transformers import MarianConfig, MarianMTModel  # in none of these files at its top: it takes seconds in each process

    torch.manual_seed(5)
    fields: dict[str, object] = {
        "vocab_size": len(vocab), "d_model": 32, "encoder_layers": 3, "decoder_layers": 2, "encoder_attention_heads": 4,
        "decoder_attention_heads": 4, "encoder_ffn_dim": 48, "decoder_ffn_dim": 48, "pad_token_id": vocab["<pad>"],
        "eos_token_id": 0, "bos_token_id": 0, "forced_eos_token_id": None, "decoder_start_token_id": vocab["<pad>"],
        "max_position_embeddings": 64,
        "scale_embedding": True, "activation_function": "swish", "init_std": 0.3,
    }  # fmt: skip
    model = MarianMTModel(MarianConfig(**(fields | changed)))  # type: ignore[arg-type]
    model.final_logits_bias.copy_(torch.randn_like(model.final_logits_bias))
    for name, parameter in model.named_parameters():
        if "layer_norm" in name or name.endswith("bias"):
            parameter.data += 0.3 * torch.randn_like(parameter)
    return model.eval()


@pytest.fixture(scope="session")
def new_marian_folder(
    tmp_path_factory: pytest.TempPathFactory, pieces: dict[str, bytes], vocab: dict[str, int]
) -> Callable[[], Path]:
    """Makes a folder as opus-mt models have it, without its weights."""

    def make() -> Path:
        folder = tmp_path_factory.mktemp("marian")
        (folder / "source.spm").write_bytes(pieces["en"])
        (folder / "target.spm").write_bytes(pieces["de"])
        (folder / "vocab.json").write_text(json.dumps(vocab))
        return folder

    return make


@pytest.fixture
def marian_folder(new_marian_folder: Callable[[], Path]) -> Path:
    """Such a folder for one test."""
    return new_marian_folder()
