"""A random sentence, computed by the imported model and by the library that it comes from."""

from __future__ import annotations

import random
import warnings

import torch
from torch import Tensor

from viz_core.config import ModelConfig
from viz_core.importing.source import Imported
from viz_core.model import Transformer

TOKENS = 12  # of each side, at most
NEAR = 1e-4  # of the largest logit: rounding alone stays well below it


def compared(imported: Imported, model: Transformer, *, half: bool = False) -> str:
    """One sentence: what was compared, and the largest difference; or why nothing was.

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
    except Exception as error:  # whatever a library raises: the import itself is done
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
    """Random ids, the same each time: what the encoder reads, (1, S), and what the decoder reads, (1, T)."""
    draw, special = random.Random(0), set(config.special_ids)

    def some(vocab: int, most: int) -> list[int]:
        words = [i for i in range(vocab) if i not in special] or [config.eos_id]
        return draw.choices(words, k=max(min(TOKENS, most), 1))

    first = [config.bos_id, *([] if config.first_id is None else [config.first_id])]
    source = config.framed(some(config.source_vocab, config.longest_source))
    target = [*first, *some(config.target_vocab, config.max_len - len(first))]
    return torch.tensor([source]), torch.tensor([target])
