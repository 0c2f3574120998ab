"""Encoder–decoder models of the transformers library: Marian (opus-mt), BART and mBART.

Files: config.json, model.safetensors or pytorch_model.bin, and of the vocabulary
    Marian       source.spm, target.spm, vocab.json (and target_vocab.json where the two languages have their own)
    BART, mBART  tokenizer.json
"""

from __future__ import annotations

from typing import Any

import torch

from viz_core.config import ModelConfig
from viz_core.errors import ImportFailed
from viz_core.importing.source import Fields, Imported, Source, Weights
from viz_core.importing.spm import read_pieces
from viz_core.importing.tokenizer_json import read_tokenizer_json
from viz_core.model.embedding import positional_encoding
from viz_core.tokenizer import SentencePieceTokenizer, Tokenizer

KINDS = ("marian", "bart", "mbart")
ACTIVATIONS = {"relu": "relu", "gelu": "gelu", "swish": "swish", "silu": "swish"}
OFFSET = 2  # the rows of BART's positions begin with two that no token has


def matches(source: Source) -> bool:
    return source.has("config.json") and source.fields("config.json").get("model_type") in KINDS


def read(source: Source) -> Imported:
    fields = source.fields("config.json")
    kind = fields.text("model_type")
    if kind not in KINDS:
        raise ImportFailed(f"config.json: model_type is {kind!r}, expected {' or '.join(map(repr, KINDS))}")
    weights = Weights(source)
    config = _config(source, fields, kind, weights)
    _take(weights, config, kind)
    if kind == "marian":
        tokenizer, own = _marian_tokenizers(source, config)
    else:
        tokenizer, own = read_tokenizer_json(source, config), None
    languages = source.options.source_language or "en", source.options.target_language or "de"
    return Imported(config, weights.finish(), tokenizer, own, *languages, f"a {kind} model of the transformers library")


def _config(source: Source, fields: Fields, kind: str, weights: Weights) -> ModelConfig:
    heads, width = fields.whole("encoder_attention_heads"), fields.whole("encoder_ffn_dim")
    for name, expected in (("decoder_attention_heads", heads), ("decoder_ffn_dim", width)):
        if (found := fields.whole(name)) != expected:
            raise ImportFailed(f"config.json: {name} is {found}, expected {expected} as in the encoder")
    depth = {stack: fields.whole(f"{stack}_layers") for stack in ("encoder", "decoder")}
    for stack, layers in depth.items():
        if (found := weights.count(f"model.{stack}.layers.")) != layers:
            raise ImportFailed(f"{source.weights_file}: {found} layers of the {stack}, expected {layers} as config.json says")
    shared = weights.has("model.shared.weight")
    longest = fields.whole("max_position_embeddings")
    vocab, target_vocab = fields.whole("vocab_size"), fields.get("decoder_vocab_size")
    eos, pad, start = fields.whole("eos_token_id"), fields.whole("pad_token_id"), fields.whole("decoder_start_token_id")
    generation: Any = source.json("generation_config.json") if source.has("generation_config.json") else {}
    first = generation.get("forced_bos_token_id", fields.get("forced_bos_token_id"))
    never = generation.get("bad_words_ids", fields.get("bad_words_ids")) or ([[pad]] if kind == "marian" else [])
    special: dict[str, Any] = {"source_start": (fields.whole("bos_token_id", 0),), "unk_id": 3} if kind == "bart" else {}
    if kind == "mbart":
        special = {"source_end": (_source_code(source, fields),), "unk_id": 3}
    return ModelConfig(
        source_vocab=vocab, target_vocab=vocab if shared or target_vocab is None else target_vocab,
        d_model=fields.whole("d_model"), n_heads=heads, n_layers=depth["encoder"],
        n_decoder_layers=None if depth["decoder"] == depth["encoder"] else depth["decoder"],
        d_ff=width, dropout=fields.number("dropout", 0.1), max_len=min(longest, source.options.max_len),
        norm="pre" if kind == "mbart" else "post", final_norm=kind == "mbart", tied_embeddings=shared,
        tied_generator=fields.flag("tie_word_embeddings", True), output_bias=True,
        activation=fields.one_of("activation_function", ACTIVATIONS, "gelu"),  # type: ignore[arg-type]
        positions="halves" if kind == "marian" else "learned", embedding_norm=kind != "marian",
        scaled_embeddings=fields.flag("scale_embedding", False),
        pad_id=pad, bos_id=start, eos_id=eos, first_id=first, never_ids=tuple(words[0] for words in never if len(words) == 1),
        **{"unk_id": 1, **special},
    )  # fmt: skip


def _source_code(source: Source, fields: Fields) -> int:
    """The id of the source's language code, which the encoder of mBART reads last."""
    codes = {code.split("_")[0]: i for code, i in _added(source).items() if "_" in code}
    language = source.options.source_language or "en"
    if language not in codes:
        raise ImportFailed(
            f"tokenizer.json: no code for the language {language!r}; --languages names one of {', '.join(sorted(codes))}"
        )
    return codes[language]


def _added(source: Source) -> dict[str, int]:
    return {str(each["content"]): int(each["id"]) for each in source.json("tokenizer.json").get("added_tokens", [])}


def _take(weights: Weights, config: ModelConfig, kind: str) -> None:
    d = config.d_model
    if config.tied_embeddings:
        weights.take("model.shared.weight", (config.source_vocab, d), "source_embedding.weight")
        weights.drop("model.encoder.embed_tokens.weight", "model.decoder.embed_tokens.weight")
    else:
        weights.take("model.encoder.embed_tokens.weight", (config.source_vocab, d), "source_embedding.weight")
        weights.take("model.decoder.embed_tokens.weight", (config.target_vocab, d), "target_embedding.weight")
    if config.generator_is_tied:
        weights.drop("lm_head.weight")
    else:
        weights.take("lm_head.weight", (config.target_vocab, d), "generator.weight")
    weights.taken["generator.bias"] = weights.take("final_logits_bias", (1, config.target_vocab))[0]
    for stack, side in (("encoder", "source"), ("decoder", "target")):
        _positions(weights, f"model.{stack}.embed_positions.weight", f"{side}_embedding.positions", config)
        if config.embedding_norm:
            weights.norm(f"model.{stack}.layernorm_embedding", f"{side}_embedding.norm", d)
        if config.has_final_norm:
            weights.norm(f"model.{stack}.layer_norm", f"{stack}.norm", d)
        for layer in range(config.layers(stack)):  # type: ignore[arg-type]
            theirs, ours = f"model.{stack}.layers.{layer}", f"{stack}.layers.{layer}"
            _attention(weights, f"{theirs}.self_attn", f"{ours}.self_attn", d)
            weights.norm(f"{theirs}.self_attn_layer_norm", f"{ours}.add_self_attn.norm", d)
            if stack == "decoder":
                _attention(weights, f"{theirs}.encoder_attn", f"{ours}.cross_attn", d)
                weights.norm(f"{theirs}.encoder_attn_layer_norm", f"{ours}.add_cross_attn.norm", d)
            weights.linear(f"{theirs}.fc1", f"{ours}.ffn.w_1", config.d_ff, d)
            weights.linear(f"{theirs}.fc2", f"{ours}.ffn.w_2", d, config.d_ff)
            weights.norm(f"{theirs}.final_layer_norm", f"{ours}.add_ffn.norm", d)


def _attention(weights: Weights, theirs: str, ours: str, d: int) -> None:
    for name, to in (("q_proj", "w_q"), ("k_proj", "w_k"), ("v_proj", "w_v"), ("out_proj", "w_o")):
        weights.linear(f"{theirs}.{name}", f"{ours}.{to}", d, d)


def _positions(weights: Weights, name: str, to: str, config: ModelConfig) -> None:
    """BART's matrix, which is learned; Marian's is a formula, and is compared with it where the file has it."""
    if config.positions == "learned":
        rows = weights.shape(name)[0]
        weights.taken[to] = weights.take(name, (rows, config.d_model))[OFFSET : OFFSET + config.max_len].clone()
    elif weights.has(name):
        found = weights.take(name, weights.shape(name))[: config.max_len]
        if not torch.allclose(found.float(), positional_encoding(len(found), config.d_model, halves=True), atol=2e-3):
            raise ImportFailed(f"{name} is not the matrix of sines and cosines that a Marian model has")


def _marian_tokenizers(source: Source, config: ModelConfig) -> tuple[Tokenizer, Tokenizer]:
    """Target and source: the pieces are each language's own, the vocabulary may be one."""
    vocab = _vocab(source, "vocab.json", config.source_vocab)
    separate = source.has("target_vocab.json")
    target_vocab = _vocab(source, "target_vocab.json", config.target_vocab) if separate else vocab
    made = [
        SentencePieceTokenizer(entries, read_pieces(source.bytes(name), name), config)
        for name, entries in (("target.spm", target_vocab), ("source.spm", vocab))
    ]
    return made[0], made[1]


def _vocab(source: Source, name: str, size: int) -> list[str]:
    found = source.json(name)
    if not isinstance(found, dict) or not all(type(i) is int for i in found.values()):
        raise ImportFailed(f"{name}: expected tokens with their ids")
    entries = sorted(found, key=found.__getitem__)
    if sorted(found.values()) != list(range(size)):
        raise ImportFailed(f"{name}: {len(found):,} tokens, expected the ids 0 to {size - 1:,} as config.json says")
    return entries
