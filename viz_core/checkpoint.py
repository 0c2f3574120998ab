"""Checkpoints: folders of safetensors and JSON, verified on reading.

    checkpoints/<name>/
        model.safetensors   the weights, in half precision; computation is in float32
        tokenizer.json      the vocabulary and the rules for splitting text
        source_tokenizer.json    the source's tokenizer, if it has its own (optional)
        config.json         version, shape of the model, languages, and the hashes of the files above and of its own settings
        CARD.md             data, recipe, scores, limits (optional)
        history.jsonl       the training, one line per measurement (optional)
        heads.json, passes.json, copy_gate.safetensors, snapshots/    optional, each written and checked by its own module

Never pickle: opening a file must not run code.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

import torch

from viz_core.catalog import find
from viz_core.config import DecoderKind, ModelConfig
from viz_core.errors import CheckpointError, ConfigError
from viz_core.files import read_bytes, sha256, write_together
from viz_core.model import Transformer
from viz_core.tokenizer import Tokenizer, base, read_tokenizer
from viz_core.weights import pack, unpack, verified
from viz_core.words import TokenizedText, knows_language

FORMAT = "viz_core checkpoint"
VERSION = 1
MOST_WEIGHTS = 2_000_000_000  # bytes of one file; a larger one is not ours and would fill the memory
Side = Literal["source", "target"]
MAX_BYTES = {"config.json": 100_000, "tokenizer.json": 100_000_000, "source_tokenizer.json": 100_000_000, "CARD.md": 1_000_000}


@dataclass(frozen=True, eq=False, repr=False)
class Checkpoint:
    """A trained model with everything needed to use it.

    Attributes:
        name: of its folder.
        digest: SHA-256 of model.safetensors, in hex.
        tokenizer: of the target, and of the source if both share a vocabulary, as ours do.
        source_tokenizer: of the source.
        source_language, target_language: codes that spaCy knows, such as "en" and "de".
    """

    name: str
    model: Transformer
    tokenizer: Tokenizer
    source_language: str
    target_language: str
    digest: str
    card: str = ""
    own_source_tokenizer: Tokenizer | None = None

    @property
    def source_tokenizer(self) -> Tokenizer:
        return self.own_source_tokenizer or self.tokenizer

    def encode(self, text: str, side: Side) -> TokenizedText:
        """The tokens of a text in the source or target language, without special ones; TextError as in `Tokenizer.encode`."""
        if side == "source":
            return self.source_tokenizer.encode(text, self.source_language)
        return self.tokenizer.encode(text, self.target_language)

    @property
    def config(self) -> ModelConfig:
        return self.model.config

    def __repr__(self) -> str:
        c = self.config
        layers = f"{c.n_layers}" if c.layers("decoder") == c.n_layers else f"{c.n_layers} + {c.layers('decoder')}"
        weights = sum(parameter.numel() for parameter in self.model.parameters())
        codes = self.source_tokenizer.target_codes
        into = f", into {base.some(codes)}" if codes else ""
        return (
            f"Checkpoint({self.name!r}, {self.source_language} → {self.target_language}: {layers} layers, {c.n_heads} heads, "
            f"d_model {c.d_model}, d_ff {c.d_ff}, {c.norm}-norm, {c.target_vocab:,} tokens, {weights:,} weights{into})"
        )


def save(
    folder: Path,
    checkpoint: Checkpoint,
    dtype: torch.dtype = torch.float16,
) -> None:
    """Writes a checkpoint, config.json last, so that an incomplete folder is never taken for a complete one.

    Raises:
        OSError: the disk is full or the folder cannot be written; an existing checkpoint is untouched.
    """
    files = packed(checkpoint, dtype)
    write_together({folder / name: content for name, content in files.items()})


def packed(checkpoint: Checkpoint, dtype: torch.dtype = torch.float16) -> dict[str, bytes]:
    """The files of a checkpoint by name, config.json last."""
    files = {"model.safetensors": pack(checkpoint.model, dtype), "tokenizer.json": checkpoint.tokenizer.to_json().encode()}
    if checkpoint.own_source_tokenizer:
        files["source_tokenizer.json"] = checkpoint.own_source_tokenizer.to_json().encode()
    config: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "source_language": checkpoint.source_language,
        "target_language": checkpoint.target_language,
        "model": checkpoint.config.to_json(),
    }
    config["sha256"] = {name: sha256(content) for name, content in files.items()} | {"settings": _settings_hash(config)}
    files["config.json"] = (json.dumps(config, indent=2) + "\n").encode()
    return files


def with_weights(trained: Checkpoint, path: Path) -> Checkpoint:
    """The same checkpoint with other weights of the same shape.

    Raises:
        CheckpointError: the file is missing, damaged or from another model; the message names it.
    """
    content = _read(path)
    model = unpack(trained.config, content, f"{path.parent.name}/{path.name}")
    return replace(trained, model=model, digest=sha256(content))


def load(folder: str | Path, decoder: DecoderKind | None = "causal") -> Checkpoint:
    """Reads and verifies a checkpoint.

    Args:
        folder: its path, or its name: one of `viz_core.checkpoints()`.
        decoder: the expected kind of decoder; None accepts either.

    Raises:
        CheckpointError: there is no such path or name (the message lists the known names); a file is missing, damaged, changed or
            not ours; or the decoder is of the other kind.
    """
    folder = find(folder)
    name = folder.name if folder.name not in ("", "..") else folder.resolve().name
    return unpacked(name, read_files(folder), decoder)


def verify(folder: Path) -> tuple[str, str]:
    """The checks of `load`, with its errors, without building a model; returns source and target language."""
    files = read_files(folder)
    settings, config = _verified(folder.resolve().name, files, "causal")
    verified(config, files["model.safetensors"])
    _tokenizers(files, config)
    return settings["source_language"], settings["target_language"]


def read_config(folder: Path) -> ModelConfig:
    """The shape of a checkpoint known to be intact, without its weights."""
    return ModelConfig.from_json(_settings(_read(folder / "config.json"))["model"])


def read_files(folder: Path) -> dict[str, bytes]:
    """The files of a checkpoint by name, not verified; errors as for `load`."""
    if not folder.is_dir():
        raise CheckpointError(f"{folder}: no such checkpoint folder")
    files = {name: _read(folder / name) for name in ("config.json", "model.safetensors", "tokenizer.json")}
    return files | {name: _read(folder / name) for name in ("source_tokenizer.json", "CARD.md") if (folder / name).is_file()}


def unpacked(name: str, files: Mapping[str, bytes], decoder: DecoderKind | None = "causal") -> Checkpoint:
    """Verifies a checkpoint's files by name, as returned by `packed`; decoder and errors as for `load`."""
    settings, config = _verified(name, files, decoder)
    model = unpack(config, files["model.safetensors"])
    tokenizer, own_source_tokenizer = _tokenizers(files, config)
    return Checkpoint(
        name=name,
        model=model,
        tokenizer=tokenizer,
        own_source_tokenizer=own_source_tokenizer,
        source_language=settings["source_language"],
        target_language=settings["target_language"],
        digest=settings["sha256"]["model.safetensors"],
        card=files.get("CARD.md", b"").decode(errors="replace"),
    )


def _verified(name: str, files: Mapping[str, bytes], decoder: DecoderKind | None) -> tuple[dict[str, Any], ModelConfig]:
    """The fields of config.json, if it and the files were saved together."""
    settings = _settings(files["config.json"])
    # The first checkpoints had no hash of their settings.
    if settings["sha256"].get("settings", _settings_hash(settings)) != _settings_hash(settings):
        raise CheckpointError("config.json: its settings are not those that were saved; the file was changed")
    if "source_tokenizer.json" in settings["sha256"] and "source_tokenizer.json" not in files:
        raise CheckpointError(f"source_tokenizer.json: missing in {name}")
    for file in ("model.safetensors", "tokenizer.json", *(["source_tokenizer.json"] if "source_tokenizer.json" in files else [])):
        if settings["sha256"].get(file) != sha256(files[file]):
            raise CheckpointError(
                f"{file}: its content ({len(files[file]):,} bytes) is not what config.json was written for; "
                f"the copy is incomplete or was changed"
            )
    try:
        config = ModelConfig.from_json(settings["model"])
    except ConfigError as error:
        raise CheckpointError(f"config.json: {error}") from error
    if decoder and config.decoder != decoder:
        raise CheckpointError(f"config.json: its decoder is {config.decoder}, expected a {decoder} one")
    return settings, config


def _tokenizers(files: Mapping[str, bytes], config: ModelConfig) -> tuple[Tokenizer, Tokenizer | None]:
    """The target's tokenizer, and the source's if it has its own."""
    tokenizer = _tokenizer(files, "tokenizer.json", config, config.target_vocab)
    if "source_tokenizer.json" in files:
        return tokenizer, _tokenizer(files, "source_tokenizer.json", config, config.source_vocab)
    if config.source_vocab != config.target_vocab:
        raise CheckpointError(
            f"tokenizer.json: {len(tokenizer):,} tokens, but the model has {config.source_vocab:,} for the source"
        )
    return tokenizer, None


def _tokenizer(files: Mapping[str, bytes], name: str, config: ModelConfig, tokens: int) -> Tokenizer:
    try:
        tokenizer = read_tokenizer(files[name].decode(), config)
    except (ConfigError, UnicodeDecodeError) as error:
        raise CheckpointError(f"{name}: {error}") from error
    if len(tokenizer) != tokens:
        raise CheckpointError(f"{name}: {len(tokenizer):,} tokens, but the model has {tokens:,}")
    return tokenizer


def kind(folder: Path) -> DecoderKind:
    """The kind of decoder according to config.json; causal if the file does not say or cannot be read."""
    try:
        masked = json.loads(_read(folder / "config.json"))["model"]["decoder"] == "masked"
    except (CheckpointError, ValueError, RecursionError, KeyError, TypeError):
        masked = False
    return "masked" if masked else "causal"


def _read(path: Path) -> bytes:
    try:
        return read_bytes(path, MAX_BYTES.get(path.name, MOST_WEIGHTS))
    except FileNotFoundError:
        raise CheckpointError(f"{path.name}: missing in {path.parent}") from None
    except OSError as error:
        raise CheckpointError(f"{path.name}: cannot be read ({error.strerror})") from error


def _settings_hash(settings: dict[str, Any]) -> str:
    return sha256(json.dumps({key: value for key, value in settings.items() if key != "sha256"}, sort_keys=True).encode())


def _settings(content: bytes) -> dict[str, Any]:
    try:
        settings = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise CheckpointError(f"config.json: not JSON ({error})") from error
    if not isinstance(settings, dict) or settings.get("format") != FORMAT:
        raise CheckpointError("config.json: not a checkpoint of this program")
    if settings.get("version") != VERSION:
        raise CheckpointError(f"config.json: version {settings.get('version')!r}, this program reads version {VERSION}")
    for key, kind in {"model": dict, "sha256": dict, "source_language": str, "target_language": str}.items():
        if not isinstance(settings.get(key), kind):
            raise CheckpointError(f"config.json: {key!r} is missing or of the wrong kind")
    for key in ("source_language", "target_language"):
        if not knows_language(settings[key]):
            raise CheckpointError(f"config.json: {key} is {settings[key]!r}, which spaCy does not know")
    return settings
