"""Payload of two attentions: the same attention of two explanations, side by side on one scale, or as their difference."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from viz_core.analysis.words import align_words
from viz_core.browser.pack import pack
from viz_core.explain import Explanation
from viz_core.texts import texts, visible
from viz_core.tokens import TokenizedText
from viz_core.trace import Kind


@dataclass(frozen=True, eq=False)
class Attended:
    """One of the two: what stands over it, the explanation that it is of, and what `attention_payload` made of that."""

    name: str
    explanation: Explanation
    packed: bytes


def side_by_side_payload(left: Attended, right: Attended, *, kind: Kind, difference: bool = False, alone: bool = False) -> bytes:
    """Both attentions, each as `viz_core.browser.attention_payload` packs it.

    Args:
        difference: what the right one gives more, word by word, in place of both; the browser subtracts.
        alone: whether it is all that its page shows, so that lecture mode shows it.
    """
    words = {**texts("browser.attention_view"), **texts("browser.side_by_side")}
    about = {
        "names": (left.name, right.name),
        "texts": {name: text for name, text in words.items() if isinstance(text, str)},
        "alone": alone,
        "difference": _difference(left.explanation, right.explanation, kind) if difference else None,
    }
    packed = {"left": left.packed, "right": right.packed}
    return pack({side: np.frombuffer(each, np.uint8) for side, each in packed.items()}, about)


def _difference(left: Explanation, right: Explanation, kind: Kind) -> dict[str, Any]:
    """Which rows and which columns of the two belong together."""
    return {
        "rows": _matches(*(each.source if kind == "self" else each.target for each in (left, right))),
        "columns": _matches(*(each.target if kind == "masked" else each.source for each in (left, right))),
    }


def _matches(left: TokenizedText, right: TokenizedText) -> dict[str, Any]:
    """The words of both as [label, tokens on the left, tokens on the right], and the words of each side alone."""
    found = align_words(left, right)
    labels = [" | ".join(dict.fromkeys(map(visible, match.texts))) for match in found.matches]
    return {
        "matches": [(label, *match.tokens) for label, match in zip(labels, found.matches, strict=True)],
        "alone": [[visible(word) for word in words] for words in found.alone],
    }
