"""Writes an imported model as a checkpoint folder, and compares it with the original on a random sentence."""

import random
import shlex
import warnings
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import torch
from torch import Tensor

from viz_core.checkpoint import MOST_WEIGHTS, Checkpoint, packed
from viz_core.config import ModelConfig
from viz_core.errors import ImportFailed
from viz_core.files import write_together
from viz_core.importing.source import Imported
from viz_core.model import Transformer
from viz_core.tokenizer import Tokenizer
from viz_core.words import knows_language


def as_checkpoint(imported: Imported, name: str) -> Checkpoint:
    """The model with the very tensors that were read, so that a large one is in memory once.

    Raises:
        ImportFailed: spaCy, which splits texts into words, does not know one of the languages, or a parameter has no tensor.
    """
    for language in (imported.source_language, imported.target_language):
        if not knows_language(language):
            raise ImportFailed(f"language {language!r} is not one that spaCy knows; --languages en,de names the two, as codes")
    for tokenizer in filter(None, (imported.tokenizer, imported.source_tokenizer)):
        _require_writable(tokenizer)
    model, shared = Transformer(imported.config), set[int]()
    for key, parameter in model.named_parameters():
        tensor = imported.weights.get(key)
        if tensor is None or tensor.shape != parameter.shape:
            shape = "missing" if tensor is None else tuple(tensor.shape)
            raise ImportFailed(f"{key}: {shape} in the model that was read, expected {tuple(parameter.shape)}")
        parameter.data = tensor.clone() if tensor.data_ptr() in shared else tensor.float()
        shared.add(tensor.data_ptr())
    model.eval().requires_grad_(False)
    languages = imported.source_language, imported.target_language
    return Checkpoint(name, model, imported.tokenizer, *languages, "", "", imported.source_tokenizer)


def _require_writable(tokenizer: Tokenizer) -> None:
    try:
        "".join(tokenizer.vocab).encode()
    except UnicodeEncodeError as error:
        raise ImportFailed("a token of the vocabulary is half of a surrogate pair, which no file can hold") from error


def save(imported: Imported, out: Path, origin: str, *, half: bool, tell: Callable[[str], None] = lambda _: None) -> Checkpoint:
    """Writes the whole folder or nothing, with a card about the model's origin and the comparison.

    Args:
        origin: the folder that was read, as typed.   half: store float16 instead of float32, which is as exact as the model itself.
        tell: called with each note of the card, the comparison with the original library last.

    Raises:
        ImportFailed: as for `as_checkpoint`, or the model is larger than the app opens.
        OSError: the folder cannot be written.
    """
    checkpoint = as_checkpoint(imported, out.name)
    if (size := sum(parameter.numel() for parameter in checkpoint.model.parameters()) * (2 if half else 4)) > MOST_WEIGHTS:
        advice = "" if half else "; --half stores half as many"
        raise ImportFailed(
            f"the model has {size:,} bytes of weights, expected at most {MOST_WEIGHTS:,}, which the app opens{advice}"
        )
    imported = replace(imported, notes=(*imported.notes, compared(imported, checkpoint.model, half=half)))
    files = packed(checkpoint, torch.float16 if half else torch.float32)
    files = {"CARD.md": card(imported, checkpoint, out, origin, half=half).encode(), **files}  # config.json last
    was_there = out.exists()
    try:
        write_together({out / name: content for name, content in files.items()})
    except BaseException:
        if not was_there:
            with suppress(OSError):
                out.rmdir()
        raise
    for note in imported.notes:
        tell(note)
    return checkpoint


def card(imported: Imported, checkpoint: Checkpoint, out: Path, origin: str, *, half: bool) -> str:
    """CARD.md: origin, shape, and what is unknown."""
    c, folder = imported.config, shlex.quote(str(out))
    weights = sum(parameter.numel() for parameter in checkpoint.model.parameters())
    codes = checkpoint.source_tokenizer.target_codes
    into = f"| target languages | begin each text with one of: {', '.join(f'`{code}`' for code in codes)} |\n" if codes else ""
    notes = "".join(f"\n- {note}" for note in imported.notes)
    shape = f"d_model {c.d_model}, {c.n_heads} heads, {c.layers('encoder')} + {c.layers('decoder')} layers, d_ff {c.d_ff:,}"
    return f"""# {checkpoint.name}: {checkpoint.source_language} → {checkpoint.target_language}, imported

Not trained by this program: {imported.origin}, read from `{origin}` with `python -m viz_core import`.
Its licence, its training data and its limits are those of its authors; write them here before you pass it on.

How it was read:
{notes}

| | |
|---|---|
| shape | {shape}, {c.norm}-norm, {c.activation}, {weights / 1e6:.1f} million parameters |
| tokens | {c.source_vocab:,} of the source, {c.target_vocab:,} of the target |
{into}| longest sentence | {c.max_len} positions on each side |
| stored | {"float16" if half else "float32"}; computed with in float32 |

## Scores

Not measured. `python -m viz_core evaluate --checkpoint {folder} --pairs test.tsv` gives BLEU.

## Heads

Not measured. `python -m viz_core heads {folder}` measures what each head attends to.
"""


TOKENS = 12  # most tokens on each side
NEAR = 1e-4  # of the largest logit; rounding alone stays well below


def compared(imported: Imported, model: Transformer, *, half: bool = False) -> str:
    """A sentence about what was compared, with the largest difference, or about why nothing was.

    Args:
        half: rounds the model's weights to float16 first, as they were stored.
    """
    if imported.original is None:
        return f"not compared: {imported.origin} has no library that could compute it once more"
    source, target = _sentence(imported.config)
    for parameter in model.parameters() if half else ():
        parameter.data = parameter.data.half().float()
    try:
        with torch.inference_mode(), warnings.catch_warnings(action="ignore"):
            original = imported.original()
            theirs = original.logits(source, target)[0].float()
            ours = model.generator.logits(model.states(source, target))[0]
    except ImportError as error:
        return f"not compared with the original library: {error.name or error} is not installed"
    except Exception as error:  # whatever a library raises; the import itself is done
        reason = str(error).partition("\n")[0].partition(". ")[0] or type(error).__name__
        return f"not compared with the original library, which cannot compute this model: {reason}"
    if theirs.shape != ours.shape:
        return f"{original.name} gives {tuple(theirs.shape)} logits, the import {tuple(ours.shape)}: they are different models"
    most = float((theirs - ours).abs().max())
    rounded = ", rounded to float16" if half else ""
    what = f"compared with {original.name} on {source.size(1)} source and {target.size(1)} target tokens{rounded}"
    if most <= NEAR * max(1.0, float(theirs.abs().max())):
        return f"{what}: the logits differ by {most:.2g} at most"
    if half:
        return f"{what}: the logits differ by up to {most:.2g}"
    return f"{what}: the logits differ by up to {most:.2g}, so the import does not compute what the original computes"


def _sentence(config: ModelConfig) -> tuple[Tensor, Tensor]:
    """Random ids, the same each time, for the encoder, (1, S), and the decoder, (1, T)."""
    draw, special = random.Random(0), set(config.special_ids)

    def some(vocab: int, most: int) -> list[int]:
        words = [i for i in range(vocab) if i not in special] or [config.eos_id]
        return draw.choices(words, k=max(min(TOKENS, most), 1))

    first = [config.bos_id, *([] if config.first_id is None else [config.first_id])]
    source = config.framed(some(config.source_vocab, config.longest_source))
    target = [*first, *some(config.target_vocab, config.max_len - len(first))]
    return torch.tensor([source]), torch.tensor([target])
