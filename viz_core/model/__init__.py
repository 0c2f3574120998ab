"""The Transformer, from scratch: each formula of the paper is a short function or module with its name."""

from viz_core.model.transformer import Transformer

__all__ = ["Transformer"]
