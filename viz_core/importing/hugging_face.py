"""Encoder–decoder models of the transformers library: Marian (opus-mt), BART and mBART.

Files: config.json, model.safetensors or pytorch_model.bin, and of the vocabulary
    Marian       source.spm, target.spm, vocab.json (and target_vocab.json where the two languages have their own)
    BART, mBART  tokenizer.json; BART: or vocab.json and merges.txt
"""

import json
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Literal

import torch
from spacy.util import find_matching_language
from torch import Tensor

from viz_core.config import ModelConfig
from viz_core.errors import ImportFailed
from viz_core.importing.refused import READ
from viz_core.importing.source import Fields, Imported, Original, Source
from viz_core.importing.vocabulary_files import MarianFiles, TokenizerJson, read_tokenizer_json
from viz_core.importing.weights import Weights, take_embeddings
from viz_core.model.embedding import positional_encoding
from viz_core.tokenizer.base import codes_of
from viz_core.weights import MAX_POSITIONS
from viz_core.words import knows_language

ACTIVATIONS = {"relu": "relu", "gelu": "gelu", "swish": "swish", "silu": "swish"}
IGNORED = {
    "normalize_before": ("mbart",),
    "normalize_embedding": ("bart", "mbart"),
    "add_final_layer_norm": ("mbart",),
    "static_position_embeddings": ("marian",),
}
"""Setting of older config.json files → the kinds that transformers computes as if it were true."""
ANY = "xx"  # spaCy's code for no language in particular
WAY_OUT = "; if the model does not use it, save the model without it"
FIRST = "encoder.layers.0.self_attn.q_proj.weight"
OFFSET = 2  # the first two rows of BART's positions belong to no token


def matches(source: Source) -> bool:
    return source.has("config.json") and source.fields("config.json").get("model_type") in READ


def read(source: Source) -> Imported:
    fields = source.fields("config.json")
    kind = fields.text("model_type")
    if kind not in READ:
        raise ImportFailed(f"config.json: model_type is {kind!r}, expected {' or '.join(map(repr, READ))}")
    files: MarianFiles | TokenizerJson = MarianFiles(source) if kind == "marian" else read_tokenizer_json(source)
    languages = _languages(source, codes_of(files.ids) if kind == "marian" else ())
    special = files.special_ids(fields, *languages)
    weights = Weights(source, " as config.json says")
    if first := next((name for name in source.tensors if name.endswith(FIRST)), ""):  # inside another model, or without a generator
        stem = first.removesuffix(FIRST)
        weights.replace_prefix(stem.removesuffix("model."))
        for part in ("shared.", "encoder.", "decoder.") if not stem.endswith("model.") else ():
            weights.replace_prefix(part, f"model.{part}")
    tensors = weights.left()
    shared = kind != "marian" or fields.flag("share_encoder_decoder_embeddings", True)
    vocab, target_vocab = fields.whole("vocab_size"), fields.get("decoder_vocab_size")
    rows = (vocab, vocab if shared or target_vocab is None else fields.whole("decoder_vocab_size"))
    tied, d = fields.flag("tie_word_embeddings", True), fields.whole("d_model")
    ties = take_embeddings(source, weights, rows, d, shared=shared, tied=tied)
    if (longest := fields.whole("max_position_embeddings")) > MAX_POSITIONS:  # the original library would fill the memory
        raise ImportFailed(f"config.json: max_position_embeddings is {longest:,}, expected at most {MAX_POSITIONS:,}")
    positions = _take_positions(source, weights, kind, longest, d)
    config = _config(source, fields, kind, weights, special | ties | {"positions": positions}, rows)
    _take(weights, config)
    _tell_ignored(source, fields, kind)
    origin = f"a {kind} model of the transformers library"
    original = partial(transformers_model, source.folder, kind, tensors, exact_positions=positions == "halves")
    return Imported(config, weights.finish(WAY_OUT), *files.tokenizers(config), *languages, origin, original)


def _languages(source: Source, target_codes: Sequence[str]) -> tuple[str, str]:
    """Codes of source and target, from the options or from the tokenizer's settings, such as en, eng or en_XX.

    Args:
        target_codes: such as `>>fra<<`, for a model of several target languages, whose settings name a family such as ROMANCE.
    """
    settings = (
        source.fields("tokenizer_config.json") if source.has("tokenizer_config.json") else Fields("tokenizer_config.json", {})
    )
    options, codes = source.options, []
    for given, names in (
        (options.source_language, ("source_lang", "src_lang")),
        (options.target_language, ("target_lang", "tgt_lang")),
    ):
        code = given or next((value for name in names if isinstance(value := settings.get(name), str)), "")
        if not code:
            raise ImportFailed(f"{settings.file}: {names[0]} is missing; --languages en,de names source and target, as codes")
        code = code.split("_")[0]
        known = code if knows_language(code) else find_matching_language(code)  # such as eng, or mul for several
        several = target_codes and not given and names[0] == "target_lang"
        codes.append(known or (ANY if several else code))
    return codes[0], codes[1]


def _tell_ignored(source: Source, fields: Fields, kind: str) -> None:
    """Notes settings of older files that transformers 5 ignores although they describe another model than it computes."""
    for name, kinds in IGNORED.items():
        if fields.get(name) not in (None, kind in kinds):
            value = json.dumps(fields.get(name))
            source.notes.append(f"config.json: {name} is {value}, which transformers 5 ignores for {kind}, and so does this import")


def _config(
    source: Source, fields: Fields, kind: str, weights: Weights, special: dict[str, Any], rows: tuple[int, int]
) -> ModelConfig:
    heads, width = fields.whole("encoder_attention_heads"), fields.whole("encoder_ffn_dim")
    for name, expected in (("decoder_attention_heads", heads), ("decoder_ffn_dim", width)):
        if (value := fields.whole(name)) != expected:
            raise ImportFailed(f"config.json: {name} is {value:,}, expected {expected:,} as in the encoder")
    depth = {stack: fields.whole(f"{stack}_layers") for stack in ("encoder", "decoder")}
    for stack, layers in depth.items():
        if (value := weights.count(f"model.{stack}.layers.")) != layers:
            raise ImportFailed(f"{source.weights_file}: {value} layers of the {stack}, expected {layers:,} as config.json says")
    generation = source.fields("generation_config.json") if source.has("generation_config.json") else fields
    special = {"first_id": generation.get("forced_bos_token_id"), **special}
    if "bos_id" not in special:
        special["bos_id"] = fields.whole("decoder_start_token_id")
    return ModelConfig(
        source_vocab=rows[0], target_vocab=rows[1],
        d_model=fields.whole("d_model"), n_heads=heads, n_layers=depth["encoder"],
        n_decoder_layers=None if depth["decoder"] == depth["encoder"] else depth["decoder"],
        d_ff=width, dropout=fields.number("dropout", 0.1),
        max_len=min(fields.whole("max_position_embeddings"), source.options.max_len),
        norm="pre" if kind == "mbart" else "post", output_bias=True,
        activation=fields.one_of("activation_function", ACTIVATIONS, "gelu"),  # type: ignore[arg-type]
        embedding_norm=kind != "marian",
        scaled_embeddings=fields.flag("scale_embedding", False),
        pad_id=fields.whole("pad_token_id"), eos_id=fields.whole("eos_token_id"), never_ids=_never(generation, fields, kind),
        **special,
    )  # fmt: skip


def _never(generation: Fields, fields: Fields, kind: str) -> tuple[int, ...]:
    """Tokens that decoding never chooses; for Marian, at least padding, which starts its decoder."""
    never = generation.get("bad_words_ids") or ([[fields.whole("pad_token_id")]] if kind == "marian" else [])
    if not isinstance(never, list) or not all(isinstance(words, list) and all(type(i) is int for i in words) for words in never):
        raise ImportFailed(f"{generation.file}: bad_words_ids is {never!r}, expected lists of ids")
    return tuple(words[0] for words in never if len(words) == 1)


def _take(weights: Weights, config: ModelConfig) -> None:
    d = config.d_model
    weights.taken["generator.bias"] = _bias(weights, config.target_vocab)
    weights.drop("model.encoder.version", "model.decoder.version")  # in BART models written by fairseq
    for stack, side in (("encoder", "source"), ("decoder", "target")):
        if config.embedding_norm:
            weights.norm(f"model.{stack}.layernorm_embedding", f"{side}_embedding.norm", d)
        if config.has_final_norm(stack):  # type: ignore[arg-type]
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


def _bias(weights: Weights, rows: int) -> Tensor:
    """The bias of the logits, (V,). transformers' Marian does not extend it when the matrix is padded to a multiple."""
    bias = torch.zeros(rows)
    if weights.has("final_logits_bias"):
        given = min(weights.shape("final_logits_bias")[-1], rows)
        bias[:given] = weights.take("final_logits_bias", (1, given))[0]
    return bias


def _take_positions(source: Source, weights: Weights, kind: str, longest: int, d: int) -> Literal["halves", "learned"]:
    """Takes the positions. BART's are learned matrices; Marian's a formula, and others in a Marian file are read as learned."""
    rows, names, odd = min(longest, source.options.max_len), {"encoder": "source", "decoder": "target"}, ""
    for stack, side in names.items():
        name, formula = f"model.{stack}.embed_positions.weight", positional_encoding(rows, d, halves=True)
        if kind != "marian":
            table = weights.take(name, (longest + OFFSET, d))[OFFSET:]
        else:
            table = weights.take(name, (weights.matrix(name)[0], d)) if weights.has(name) else formula
            rounding = max(4 * torch.finfo(table.dtype).eps, 1e-4)
            if torch.allclose(table[:rows].float(), formula[: len(table)], rtol=0, atol=rounding):
                weights.tell_rounded(name, table[:rows], formula[: len(table)])
            else:
                odd = name
        weights.taken[f"{side}_embedding.positions"] = table[:rows].clone()
    if kind == "marian" and not odd:
        for side in names.values():
            del weights.taken[f"{side}_embedding.positions"]
        return "halves"
    if odd:
        source.notes.append(f"{source.weights_file}: {odd} is not Marian's sines and cosines, and is read as learned positions")
    return "learned"


CLASSES = {"marian": "MarianMTModel", "bart": "BartForConditionalGeneration", "mbart": "MBartForConditionalGeneration"}


def transformers_model(folder: Path, kind: str, tensors: Mapping[str, Tensor], *, exact_positions: bool) -> Original:
    """The model of transformers, in float32.

    Args:
        kind: a name in CLASSES.
        tensors: under the library's names, for files that transformers itself cannot read.
        exact_positions: computes Marian's positions in float32, in place of those rounded in a half-precision file.

    Raises:
        ImportError: the library is not installed.
        ValueError: the library would draw missing tensors at random.
    """
    import transformers
    from transformers.utils import logging

    logging.set_verbosity_error()
    logging.disable_progress_bar()
    model_class = getattr(transformers, CLASSES[kind])
    try:
        model = _loaded(model_class, folder)
    except Exception:  # for a file that is wrapped, or has other names
        config = model_class.config_class.from_pretrained(folder, local_files_only=True)
        model = _loaded(model_class, None, config=config, state_dict=dict(tensors))
    model.eval()
    if exact_positions:
        for stack in (model.model.encoder, model.model.decoder):
            stack.embed_positions.weight.data = stack.embed_positions.create_weight()

    def logits(source: Tensor, target: Tensor) -> Tensor:
        scores: Tensor = model(input_ids=source, decoder_input_ids=target).logits
        return scores

    return Original(f"{CLASSES[kind]} of transformers {transformers.__version__}", logits)


def _loaded(model_class: Any, folder: Path | None, **more: Any) -> Any:
    model, info = model_class.from_pretrained(folder, dtype=torch.float32, local_files_only=True, output_loading_info=True, **more)
    if missing := sorted(info["missing_keys"]):
        raise ValueError(f"it draws {missing[0]} at random, which the folder lacks")
    return model
