"""Golden pictures: every figure in three states, as the page saves it, compared by content."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path

import numpy as np
import numpy.typing as npt

from tests.golden.adapter import Gallery
from tests.golden.digest import is_same_machine, read, same_but_for_rounding, same_words, write

HELD = Path(__file__).parent / "pictures"
NORMALIZED = (Path(__file__).parent / "normalized.js").read_text("utf-8")
TEXT = "model=en-de-small&text=The+otter+paints+the+old+map."
FIRST, SECOND = "step=2&layer=1&head=2&token=3", "step=5&layer=2&head=4&token=2"
FIGURES: dict[str, tuple[str, str, str]] = {
    "overview": ("", "", "show=layer"),
    "overview-paper": ("", "drawing=paper", "drawing=paper"),
    **{
        f"block-{block}": ("", f"open={block}", f"open={block}")
        for block in (
            "embedding", "encoder_qkv", "encoder_out", "encoder_ffn", "memory", "masked_qkv", "masked_out", "cross_qkv",
            "cross_out", "ffn", "softmax",
        )
    },
    "block-encoder": ("", "open=encoder&stage=scores", "open=encoder&stage=mix"),
    "block-masked": ("", "open=masked&stage=mask", "open=masked&stage=softmax&cell=5-2"),
    "block-cross": ("", "open=cross&stage=scaled", "open=cross&stage=mix&cell=5-2"),
    "lookup": ("embeddings", "show=lookup", "show=lookup&side=target"),
    "scaled": ("embeddings", "show=scaled", "show=scaled&side=target"),
    "embedding-matrix": ("embeddings", "show=matrix", "show=matrix&side=target"),
    "neighbours": ("embeddings", "show=near", "show=near&side=target"),
    "word-map": ("embeddings", "show=map", "show=map&side=target"),
    "in-context": ("embeddings", "show=context", "show=context&second=An+old+book."),
    "waves": ("positions", "show=waves", "show=waves&dims=1-4-9&side=target"),
    "position-matrix": ("positions", "show=matrix", "show=matrix&reach=all"),
    "position-product": ("positions", "show=product", "show=product&reach=all"),
    "position-sum": ("positions", "show=sum", "show=sum&side=target"),
    "self-matrix": ("self_attention", "stage=scores", "stage=softmax&cell=2-4"),
    "self-layer": ("self_attention", "show=layer", "show=model"),
    "self-lines": ("self_attention", "form=lines", "form=lines&show=layer"),
    "self-neurons": ("self_attention", "form=neurons", "form=neurons&cell=2-4"),
    "masked-matrix": ("masked_attention", "stage=mask", "stage=masked&scale=log"),
    "masked-mix": ("masked_attention", "stage=mix", "stage=mix&cell=5-2"),
    "masked-batch": ("masked_attention", "case=batch", "case=batch&which=padding&partner=2"),
    "masked-peek": ("masked_attention", "case=peek", "case=peek"),
    "cross-matrix": ("cross_attention", "stage=scaled", "unit=words&order=weight"),
    "cross-lines": ("cross_attention", "form=lines", "form=lines&specials=hide"),
    "qkv": ("qkv", "kind=self&role=q&dim=3", "kind=cross&role=k&dim=8"),
    "stream": ("residual", "show=stream", "show=stream&stack=decoder"),
    "layer-norm": ("residual", "show=norm", "show=norm&stack=decoder&cell=2-1"),
    "feed-forward": ("residual", "show=ffn", "show=ffn&stack=decoder&cell=2-1"),
    "next-token": ("output", "", "axis=logit&top=5&cell=5-2"),
    "next-token-temperature": ("output", "temperature=2&axis=log", "temperature=0.5&top=20"),
    "head-roles": ("heads", "show=roles", "show=roles&kind=self"),
    "head-ablation": ("heads", "show=ablation", "show=ablation&of=bleu&kind=masked"),
    "norm-weighted": ("heads", "show=norm_weighted", "show=norm_weighted&which=all_heads&kind=masked"),
    "through-layers": ("heads", "show=flow", "show=flow&kind=self&by=max_flow&cell=2-4"),
    "source-words": ("why", "show=source_words", "show=source_words"),
    "alignment": ("why", "show=alignment", "show=alignment&by=head_by"),
    "rollout": ("why", "show=rollout", "show=rollout"),
    "logit-lens": ("why", "show=logit_lens", "show=logit_lens&against=der"),
    "logit-attribution": ("why", "show=logit_attribution", "show=logit_attribution&against=der"),
    "target-bars": ("training", "show=loss", "show=loss&first=target&epsilon=30"),
    "guided": ("training", "show=guided", "show=guided&beside=by_paid&cell=5-2"),
    "truncation": ("decoding", "case=sampling&first=cut", "case=sampling&first=cut&temp=0.7&top_k=20&draw=3"),
    "copied-tokens": ("decoding", "case=copying", "case=copying"),
    "passes": ("decoding", "case=non_autoregressive", "case=non_autoregressive&decoder=plain&passes=6"),
    "cost": ("code", "show=cost", "show=cost&by=by_heads&preset=big&d_model=768"),
    "call-map": ("code", "show=walk", "show=walk&call=40"),
    "untrained": ("code", "show=untrained", "show=untrained&seed=2&of=of_numbers"),
    "beam-tree": ("decoding", "case=beam", "case=beam&size=2&alpha=0&n_best=1"),
    "what-if": ("what_if", "edits=no_positions", "edits=no_positions&case=own&kind=self"),
    "compare-attention": ("compare", "pair=sentences&show=attention", "pair=edits&edits=no_positions&show=attention&kind=masked"),
    "compare-difference": (
        "compare",
        "pair=edits&edits=no_positions&show=difference",
        "pair=edits&edits=no_positions&show=difference&kind=self",
    ),
}  # fmt: skip
"""Name → page, and what its first two states differ in beside the place. The third is the second in Chinese and in the dark."""
STATES = {"first": (FIRST, 1, ""), "second": (SECOND, 2, ""), "dark Chinese": (SECOND, 2, "&lang=zh")}
"""Name → the place, which of the parameters above, and what is added."""
SHAPE_PX, TEXT_PX, COLOUR = 1.5, 6.0, 3
"""How far a corner, the middle of a text and a part of a colour (of 255) may be from where they were."""
MOST = 12
"""Differences of one picture that are listed."""


def in_ci() -> list[tuple[str, str]]:
    """What the tests look at: each figure in one of its states, in turn."""
    return [(name, [*STATES][at % len(STATES)]) for at, name in enumerate(FIGURES)]


def address(name: str, state: str) -> str:
    """The parameters of a figure in a state."""
    place, which, more = STATES[state]
    own = FIGURES[name][which]
    return f"{TEXT}&{place}{'&' if own else ''}{own}{more}"


def picture(gallery: Gallery, name: str, state: str) -> list[str]:
    """What a figure shows, a line for each element, and the texts below it."""
    svg, below = gallery.picture(FIGURES[name][0], address(name, state), dark=state.startswith("dark"))
    lines: list[str] = gallery.tab.evaluate(f"(source) => ({NORMALIZED})(source)", svg) if svg else []
    return [*lines, *(f"below {json.dumps(text, ensure_ascii=False)}" for text in below)]


def record(gallery: Gallery, names: Sequence[str]) -> Iterator[str]:
    """Holds what these figures show now; what was held otherwise, a line each."""
    now = {name: dict[str, list[str]]() for name in names}
    for state in STATES:
        for name in names:
            now[name][state] = picture(gallery, name, state)
    for name, states in now.items():
        path = HELD / f"{name}.gz"
        for state, lines in read(path).items() if path.exists() else ():
            yield from (f"{name}, {state}: {line}" for line in differences(lines, states.get(state, [])))
        write(path, states)


def check(gallery: Gallery, states: Sequence[tuple[str, str]]) -> Iterator[str]:
    """What is drawn otherwise than held, a line for each element."""
    held = {name: read(HELD / f"{name}.gz") for name, _ in states}
    for name, state in sorted(states, key=lambda each: each[1].startswith("dark")):
        yield from (f"{name}, {state}: {line}" for line in differences(held[name][state], picture(gallery, name, state)))


@dataclass(eq=False)
class Element:
    """One line of a picture: its kind and style, its px, its colours, its words."""

    line: str
    kind: str
    px: npt.NDArray[np.float64]
    inks: npt.NDArray[np.int64]
    words: str

    @classmethod
    def of(cls, line: str) -> Element:
        """Reads a line."""
        at = line.find('"') if '"' in line else len(line)
        tokens = line[:at].split()
        numbers = [token for token in tokens if re.fullmatch(r"-?[\d.]+", token)]
        places = numbers[:2] if tokens[0] == "text" else numbers[: sum(1 for _ in _leading(tokens))]
        style = [
            *tokens[:1],
            *numbers[len(places) :],
            *(re.sub(r"#\w{8}", "#", token) for token in tokens[1:] if token not in numbers),
        ]
        inks = [int(ink[part : part + 2], 16) for ink in re.findall(r"#(\w{8})", line[:at]) for part in (0, 2, 4, 6)]
        return cls(line, " ".join(style), np.array(places, float), np.array(inks, np.int64), line[at:])

    def away(self, other: Element) -> float:
        """How far the other is, in px; no distance is near enough where it is of another kind."""
        if (self.kind, self.px.shape, self.inks.shape) != (other.kind, other.px.shape, other.inks.shape):
            return math.inf
        return float(np.abs(self.px - other.px).max(initial=0))

    def recoloured(self, other: Element) -> int:
        """By how much the most of its colours differs."""
        return int(np.abs(self.inks - other.inks).max(initial=0))


def _leading(tokens: Sequence[str]) -> Iterator[str]:
    return takewhile(lambda token: re.fullmatch(r"-?[\d.]+", token), (token for token in tokens[1:] if token != "bold"))


def differences(held: Sequence[str], now: Sequence[str]) -> list[str]:
    """What of a picture is another: moved, of another colour, other words, missing, new. The order does not count."""
    one, other = Counter(held), Counter(now)
    before, after = [Element.of(line) for line in (one - other).elements()], [Element.of(line) for line in (other - one).elements()]
    before = _unmatched(before, after, lambda words, others: words == others)
    if not is_same_machine():
        roundings = 1 + sum('"' in line for line in held) // 100
        before = _unmatched(before, after, same_but_for_rounding)
        before = _unmatched(before, after, same_words, roundings)
    found = []
    for element in before:
        near = min(after, key=lambda each: (element.away(each), each.words != element.words, element.px.size), default=None)
        alike = [each for each in after if each.words == element.words and element.away(each) < math.inf]
        near = min(alike, key=element.away, default=near)
        if near is None or element.away(near) == math.inf:
            found.append(f"missing: {element.line[:160]}")
            continue
        after.remove(near)
        why = ["words"] * (near.words != element.words) + ["colour"] * (element.recoloured(near) > COLOUR)
        why += [f"moved {element.away(near):g} px"] * (element.away(near) > SHAPE_PX)
        found.append(f"{', '.join(why)}: {element.line[:160]} → {near.line[:160]}")
    found += [f"new: {element.line[:160]}" for element in after]
    return [*found[:MOST], *([f"… and {len(found) - MOST} more"] if len(found) > MOST else [])]


def _unmatched(before: list[Element], after: list[Element], agree: Callable[[str, str], bool], most: int = 10**9) -> list[Element]:
    """Those without a partner that looks the same; each partner is taken out of `after`, and up to so many."""
    left = []
    for element in before:
        reach = TEXT_PX if element.kind.startswith("text") else SHAPE_PX
        partners = [each for each in after if element.away(each) <= reach and agree(element.words, each.words)]
        partners = [each for each in partners if element.recoloured(each) <= COLOUR]
        if partners and most:
            after.remove(min(partners, key=element.away))
            most -= 1
        else:
            left.append(element)
    return left
