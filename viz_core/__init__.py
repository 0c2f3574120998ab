"""See an encoder–decoder Transformer work, with the numbers of its own forward pass.

    from viz_core import load, explain

    checkpoint = load("en-de")  # one of checkpoints(), or the path of a folder
    ex = explain(checkpoint, "The cat is sleeping on the sofa.")
    ex.trace["decoder.2.cross_attn.weights"]  # (B, h, T, S), the very tensor of the forward pass

These names are the public API; everything else may move.
"""

import importlib
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from viz_core.app.talk_file.record import show
    from viz_core.catalog import checkpoints
    from viz_core.checkpoint import Checkpoint, load, save
    from viz_core.config import ModelConfig
    from viz_core.decoding import beam_search
    from viz_core.edits import Edits
    from viz_core.explain import Explanation, explain
    from viz_core.figures.attention import attention_heatmap
    from viz_core.trace import Trace
    from viz_core.training.live import LiveTrainer, Recipe

__all__ = [
    "Checkpoint",
    "Edits",
    "Explanation",
    "LiveTrainer",
    "ModelConfig",
    "Recipe",
    "Trace",
    "attention_heatmap",
    "beam_search",
    "checkpoints",
    "explain",
    "load",
    "save",
    "show",
]

_HOME = {
    "Checkpoint": "checkpoint",
    "Edits": "edits",
    "LiveTrainer": "training.live",
    "ModelConfig": "config",
    "Recipe": "training.live",
    "Trace": "trace",
    "attention_heatmap": "figures.attention",
    "beam_search": "decoding",
    "checkpoints": "catalog",
    "load": "checkpoint",
    "save": "checkpoint",
    "show": "app.talk_file.record",
}


def __getattr__(name: str) -> Any:
    """Imports a public name on first use: torch and spaCy take seconds, and `--help` needs neither."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"viz_core.{_HOME.get(name, 'explain')}"), name)


class _Face(ModuleType):
    """Keeps `explain` the function: importing the module of the same name would put the module in its place."""

    @property
    def explain(self) -> Any:
        return importlib.import_module("viz_core.explain").explain

    @explain.setter
    def explain(self, module: ModuleType) -> None:
        pass


sys.modules[__name__].__class__ = _Face
