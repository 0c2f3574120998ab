"""The cost of each part of a model: of a checkpoint, of the paper's models, or of any configuration set on the dials."""

import json
from collections.abc import Sequence
from typing import Annotated, Any

import numpy as np
import streamlit as st

from pages.code import controls
from viz_core.analysis.attention import has_biases
from viz_core.analysis.cost import BASE, BIG, PUBLISHED, parameters, part_costs, step_products, vocabulary_for
from viz_core.app import models
from viz_core.app.answers import Between
from viz_core.app.arithmetic import Section, arithmetic_section, show_arithmetic
from viz_core.app.controls import more
from viz_core.app.markup import Raw
from viz_core.app.page import Page
from viz_core.browser.pack import pack
from viz_core.checkpoint import Checkpoint
from viz_core.config import ModelConfig
from viz_core.errors import ConfigError
from viz_core.explain import Explanation
from viz_core.params import OneOf, Text

INNER = (128, 256, 512, 1024, 2048, 3072, 4096, 8192, 16384, 49152)
VOCABULARY_SIZES = (1000, 8000, 16000, 32000, 37000, 50257, 100000, 256000)
LENGTHS = (0, 1, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 100000)
"""0: the sentence's own."""
LAYERS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 96)
WIDTHS = (64, 128, 256, 512, 768, 1024, 2048, 4096, 8192, 12288)
HEADS = (1, 2, 4, 8, 12, 16, 32, 64, 96)
"""The values on the dials; the values of a preset are added."""
SHAPE = (
    "source_vocab", "target_vocab", "d_model", "n_heads", "n_layers", "d_ff", "max_len", "norm", "tied_embeddings",
    "n_decoder_layers", "positions", "embedding_norm", "final_norm", "decoder_final_norm", "tied_generator", "output_bias",
)  # fmt: skip
"""The settings of a model that its cost depends on."""
TEXTS = (
    "about_by_length", "about_by_layers", "about_by_width", "about_by_heads", "cost_table", "cost_memory", "cost_paper", "of_cost",
    "of_cost_tied", "of_cost_untied",
)  # fmt: skip
"""Keys of the texts below."""
Size = Annotated[int, Between(1, 999_999_999)]
Length = Annotated[int, Between(0, LENGTHS[-1])]


def show_cost(p: Page) -> None:
    """The dials, the growth of the cost, the table of the parts, and the arithmetic."""
    with p.controls():
        by = controls.BY.draw(p)
    dials, lengths = _dials(p)
    asked = {"by": by, **dials, "source_length": lengths[0], "target_length": lengths[1]}
    p.answer(cost, **asked)
    p.answer(cost, part="cost_table", off_stage=True, **asked)
    config = _dialled(**dials)
    own = shape_of(config) != shape_of(p.view.config) or has_biases(p.view.checkpoint.model)
    show_arithmetic(
        p, {key: p.texts[key] for key in TEXTS}, figure="cost",
        sections=[
            *(Section(name, name) for name in ("about_[[by]]", "cost_table", "cost_memory", "cost_paper")),
            arithmetic_section("of_cost"),
        ],
        **_paper(), biases=Raw(p.text("of_cost_biases" if own else "of_cost_no_biases")),
    )  # fmt: skip
    source, target = (length or own for length, own in zip(lengths, _lengths(p.view.explanation), strict=True))
    p.offer(
        "cost", "cost", "part parameters multiply_adds with_weights with_positions",  # the last two make the multiply-adds
        lambda: ([one.name, one.parameters, one.products, one.projected, one.paired] for one in part_costs(config, source, target)),
        source=f"{source:,}", target=f"{target:,}",
    )  # fmt: skip
    p.show_code("code_cost")


def cost(
    checkpoint: Checkpoint, explanation: Explanation, by: Annotated[str, controls.BY], start: Annotated[str, Text("start")],
    d_model: Size, heads: Size, d_ff: Size, layers: Size, vocabulary: Size, shared: Annotated[str, controls.SHARED],
    norm: Annotated[str, controls.NORM], source_length: Length, target_length: Length,
) -> bytes:  # fmt: skip
    """The cost of each part of a configuration. Tensors: costs (parts, 3), the numbers of `PartCost`.

    About: by; the `shape`; both `lengths`; `names` of the parts; `step`, the multiply-adds of the last decoding step.

    Args:
        by: what the figure varies.   start: the shape before the dials changed it, as JSON.
    """
    config = _dialled(start, d_model, heads, d_ff, layers, vocabulary, shared, norm)
    source, target = _lengths(explanation)
    lengths = source_length or source, target_length or target
    costs = part_costs(config, *lengths)
    about = {
        "by": by, "shape": shape_of(config), "lengths": lengths, "names": [part.name for part in costs],
        "step": step_products(config, *lengths),
    }  # fmt: skip
    return pack({"costs": np.array([(part.parameters, part.projected, part.paired) for part in costs], np.float64)}, about)


def _lengths(explanation: Explanation) -> tuple[int, int]:
    return len(explanation.source.tokens), len(explanation.target.tokens)


def shape_of(config: ModelConfig) -> dict[str, Any]:
    return {name: getattr(config, name) for name in SHAPE}


def _dialled(
    start: str, d_model: int, heads: int, d_ff: int, layers: int, vocabulary: int, shared: str, norm: str
) -> ModelConfig:  # fmt: skip
    try:
        before = ModelConfig.from_json(dict(json.loads(start)))
    except (TypeError, ValueError) as error:
        raise ConfigError(f"{start}: {error}") from error
    untouched = vocabulary == before.target_vocab and shared == "no" and before.source_vocab != before.target_vocab
    dials = {
        "d_model": d_model, "n_heads": heads, "d_ff": d_ff, "n_layers": layers, "target_vocab": vocabulary,
        "source_vocab": before.source_vocab if untouched else vocabulary, "tied_embeddings": shared == "yes", "norm": norm,
    }  # fmt: skip
    return ModelConfig.from_json(shape_of(before) | dials)


def presets(p: Page) -> dict[str, ModelConfig]:
    """The model on display first, then the other checkpoints, then the two of the paper."""
    own = p.view.checkpoint.name
    others = {name: models.config_of(name) for name in models.usable()[0] if name != own}
    return {own: p.view.config, **others, "base": BASE, "big": BIG}


def _dials(p: Page) -> tuple[dict[str, Any], tuple[int, int]]:
    """The configuration on the dials, as `_dialled` takes it, and both lengths; choosing another preset resets every dial."""
    known = presets(p)
    with st.container(horizontal=True, vertical_alignment="bottom", key="_controls_dials", gap="small"):
        name = controls.PRESET.draw(p, [*known], p.view.checkpoint.name, of=p.view.checkpoint.name, resets=controls.DIALS)
        start = known[name]
        d_model = _number(p, controls.D_MODEL, WIDTHS, start.d_model, name)
        possible = [heads for heads in sorted({*HEADS, start.n_heads}) if d_model % heads == 0]
        near = min(possible, key=lambda heads: abs(heads - start.n_heads))
        layers = _number(p, controls.LAYERS, LAYERS, start.n_layers, name)
        with more(p):
            heads = controls.HEADS.draw(p, possible, near, of=(name, d_model))
            inner = _number(p, controls.D_FF, INNER, start.d_ff, name)
            tokens = _number(p, controls.VOCABULARY, VOCABULARY_SIZES, start.target_vocab, name)
            shared = controls.SHARED.draw(p, (), "yes" if start.tied_embeddings else "no", of=name)
            norm = controls.NORM.draw(p, (), start.norm, of=name)
            lengths = _number(p, controls.SOURCE_LENGTH, LENGTHS, 0, name), _number(p, controls.TARGET_LENGTH, LENGTHS, 0, name)
    dials = {
        "start": json.dumps(shape_of(start)), "d_model": d_model, "heads": heads, "d_ff": inner, "layers": layers,
        "vocabulary": tokens, "shared": shared, "norm": norm,
    }  # fmt: skip
    return dials, lengths


def _number(p: Page, control: OneOf[int], offered: Sequence[int], start: int, of: object) -> int:
    return control.draw(p, sorted({*offered, start}), start, of=of)


def _paper() -> dict[str, Any]:
    values: dict[str, Any] = {}
    for name, config in (("base", BASE), ("big", BIG)):
        values |= {
            name: f"{parameters(config) / 1e6:.1f}", f"{name}_published": f"{PUBLISHED[config] / 1e6:.0f}",
            f"{name}_tokens": f"{vocabulary_for(config, PUBLISHED[config]):,.0f}",
        }  # fmt: skip
    return values
