"""The closed list of recorded sites: the name, axes and formula of every quantity in a traced pass.

The browser's engine takes names and axes from here: `python -m viz_core.sites` prints them (`viz_core/web/modules.mjs`).

Names are `{stack}.{layer}.{block}.{site}`, layers from 0. Axis letters are those of model/transformer.py.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass

from viz_core.config import ModelConfig, Stack
from viz_core.errors import TapError, nearest


@dataclass(frozen=True)
class Site:
    """One kind of recorded quantity.

    Attributes:
        key: its name without stack and layer, as in `self_attn.q`; its text in `en.toml` has the same key, see `text_key`.
        axes: the letter of each dimension; in attention Tq are queries (rows), Tk keys (columns).
        formula: in LaTeX.
        variant: suffix of the text's key where the model computes the quantity differently from the paper.
    """

    key: str
    axes: tuple[str, ...]
    formula: str
    variant: str = ""

    @property
    def text_key(self) -> str:
        """Key of its text in `en.toml`."""
        return f"{self.key}_{self.variant}" if self.variant else self.key


PAIR, STREAM = ("B", "h", "Tq", "Tk"), ("B", "T", "D")


def _attention(block: str, x: str, y: str) -> list[Site]:
    """The sites of one attention block, in the order of computation; x gives the queries, y the keys and values."""
    return [
        Site(f"{block}.q", ("B", "h", "Tq", "d_k"), rf"Q = {x}\,W^Q + b^Q"),
        Site(f"{block}.k", ("B", "h", "Tk", "d_k"), rf"K = {y}\,W^K + b^K"),
        Site(f"{block}.v", ("B", "h", "Tk", "d_k"), rf"V = {y}\,W^V + b^V"),
        Site(f"{block}.scores", PAIR, r"S = Q K^\top"),
        Site(f"{block}.scaled", PAIR, r"S / \sqrt{d_k}"),
        Site(f"{block}.mask", ("B", "1", "Tq or 1", "Tk"), r"M_{ij} = [\,i \text{ may look at } j\,]"),
        Site(f"{block}.masked", PAIR, r"S_{ij} / \sqrt{d_k} \text{ where } M_{ij}, \text{ else } -\infty"),
        Site(f"{block}.weights", PAIR, r"A = \operatorname{softmax}(\text{masked})"),
        Site(f"{block}.mix", ("B", "h", "Tq", "d_k"), r"A V"),
        Site(f"{block}.out", ("B", "Tq", "D"), r"\operatorname{Concat}(\text{head}_1 \dots \text{head}_h)\,W^O + b^O"),
    ]


ACTIVATION = {
    "relu": r"\max(0,\ x W_1 + b_1)",
    "gelu": r"\operatorname{GELU}(x W_1 + b_1)",
    "swish": r"\operatorname{swish}(x W_1 + b_1)",
}
ACTIVATION_NAMES = {"relu": "ReLU", "gelu": "GELU", "swish": "swish"}
POSITIONS = {
    "interleaved": r"PE_{pos,2i} = \sin(pos/10000^{2i/d_\text{model}}),\ PE_{pos,2i+1} = \cos(\dots)",
    "halves": r"PE_{pos,i} = \sin(pos/10000^{2i/d_\text{model}}),\ PE_{pos,d_\text{model}/2+i} = \cos(\dots)",
    "learned": r"P_{pos}",
}


def _ffn(config: ModelConfig) -> list[Site]:
    return [
        Site("ffn.hidden", ("B", "T", "F"), ACTIVATION[config.activation], "" if config.activation == "relu" else "smooth"),
        Site("ffn.out", ("B", "T", "D"), r"\text{hidden}\ W_2 + b_2"),
    ]


def _embedding(config: ModelConfig) -> list[Site]:
    scaled = r"\sqrt{d_\text{model}}\; E_{\text{id}}" if config.scaled_embeddings else r"E_{\text{id}}"
    summed = rf"{scaled} + {'P' if config.positions == 'learned' else 'PE'}_{{pos}}"
    before = [
        Site("lookup", STREAM, r"E_{\text{id}}"),
        Site("embedding", STREAM, scaled, "" if config.scaled_embeddings else "bare"),
        Site("positions", ("T", "D"), POSITIONS[config.positions], "learned" if config.positions == "learned" else ""),
    ]
    if config.embedding_norm:
        return [*before, Site("summed", STREAM, summed), Site("input", STREAM, rf"\operatorname{{LayerNorm}}({summed})", "normed")]
    return [*before, Site("input", STREAM, summed)]


def output_matrix(config: ModelConfig) -> str:
    """The letter of the output matrix: E where it is the target's embedding table, else U."""
    return "E" if config.generator_is_target else "U"


def _output(config: ModelConfig) -> list[Site]:
    logits = rf"\text{{states}}\; {output_matrix(config)}^\top" + (" + b" if config.output_bias else "")
    return [
        Site("logits", ("B", "T", "V"), logits),
        Site("log_probs", ("B", "T", "V"), r"\log \operatorname{softmax}(\text{logits})"),
    ]


def _sublayer(block: str, inner: list[Site], norm: str) -> list[Site]:
    """A sub-layer with its add & norm, in the order of computation."""
    if norm == "pre":
        normed = Site(f"norm_{block}", STREAM, r"\operatorname{LayerNorm}(x)")
        summed = Site(f"resid_{block}", STREAM, r"x + \operatorname{Sublayer}(\operatorname{LayerNorm}(x))")
        return [normed, *inner, summed]
    summed = Site(f"resid_{block}", STREAM, r"x + \operatorname{Sublayer}(x)")
    normed = Site(f"norm_{block}", STREAM, r"\operatorname{LayerNorm}(x + \operatorname{Sublayer}(x))")
    return [*inner, summed, normed]


def _end(config: ModelConfig, stack: Stack) -> str:
    return r"\operatorname{LayerNorm}(x)" if config.has_final_norm(stack) else "x"


def sites(config: ModelConfig) -> dict[str, Site]:
    """Every site of a full pass of this model, by full name, in the order of computation."""
    own, memory = _attention("self_attn", "x", "x"), _attention("cross_attn", "x", r"\text{memory}")
    encoder = _sublayer("self_attn", own, config.norm) + _sublayer("ffn", _ffn(config), config.norm)
    decoder = (
        _sublayer("self_attn", own, config.norm)
        + _sublayer("cross_attn", memory, config.norm)
        + _sublayer("ffn", _ffn(config), config.norm)
    )
    named = {f"source.{site.key}": site for site in _embedding(config)}
    named |= {f"encoder.{layer}.{site.key}": site for layer in range(config.layers("encoder")) for site in encoder}
    named["encoder.memory"] = Site("memory", STREAM, _end(config, "encoder"))
    named |= {f"target.{site.key}": site for site in _embedding(config)}
    named |= {f"decoder.{layer}.{site.key}": site for layer in range(config.layers("decoder")) for site in decoder}
    named["decoder.states"] = Site("states", STREAM, _end(config, "decoder"))
    return named | {f"output.{site.key}": site for site in _output(config)}


def require_sites(names: Iterable[str], config: ModelConfig) -> None:
    """Raises:
    TapError: a pass of this model lacks one of these sites; the message names the nearest that it has.
    """
    known = sites(config)
    for name in names:
        if name not in known:
            raise TapError(f"site {name!r} does not exist in this model; {nearest(name, known)}")


if __name__ == "__main__":
    config = ModelConfig(source_vocab=4, target_vocab=4, n_layers=1, embedding_norm=True)
    axes = {name.replace(".0.", ".LAYER."): [axis for axis in site.axes if axis != "B"] for name, site in sites(config).items()}
    print(json.dumps(axes))
