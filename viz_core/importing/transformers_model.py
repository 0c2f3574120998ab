"""The same folder as the transformers library itself reads it, where that library is installed."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from viz_core.importing.source import Original

CLASSES = {"marian": "MarianMTModel", "bart": "BartForConditionalGeneration", "mbart": "MBartForConditionalGeneration"}


def transformers_model(folder: Path, kind: str, tensors: Mapping[str, Tensor], *, exact_positions: bool) -> Original:
    """The model of transformers, in float32.

    Args:
        kind: a name of CLASSES.
        tensors: those of the folder without what is wrapped around them, for files that transformers itself cannot read.
        exact_positions: computes Marian's positions in float32, in place of those that a file in half precision rounds.

    Raises:
        ImportError: the library is not installed.
        ValueError: it would draw tensors at random that the folder lacks.
    """
    import transformers
    from transformers.utils import logging

    logging.set_verbosity_error()
    logging.disable_progress_bar()
    of_kind = getattr(transformers, CLASSES[kind])
    try:
        model = _loaded(of_kind, folder)
    except Exception:  # of a file that is wrapped, or has other names
        config = of_kind.config_class.from_pretrained(folder, local_files_only=True)
        model = _loaded(of_kind, None, config=config, state_dict=dict(tensors))
    model.eval()
    if exact_positions:
        for stack in (model.model.encoder, model.model.decoder):
            stack.embed_positions.weight.data = stack.embed_positions.create_weight()

    def logits(source: Tensor, target: Tensor) -> Tensor:
        found: Tensor = model(input_ids=source, decoder_input_ids=target).logits
        return found

    return Original(f"{CLASSES[kind]} of transformers {transformers.__version__}", logits)


def _loaded(of_kind: Any, folder: Path | None, **more: Any) -> Any:
    found: tuple[Any, dict[str, Any]] = of_kind.from_pretrained(
        folder, dtype=torch.float32, local_files_only=True, output_loading_info=True, **more
    )
    model, loaded = found
    if missing := sorted(loaded["missing_keys"]):
        raise ValueError(f"it draws {missing[0]} at random, which the folder lacks")
    return model
