"""Which heads are out: those whose loss changes nothing any more."""

from __future__ import annotations

import pytest
import torch

from viz_core.checkpoint import Checkpoint
from viz_core.edits import Edits, Head, heads_out, site_edits
from viz_core.explain import explain, traced_pass
from viz_core.trace import Kind

LINKS = [
    "",
    "heads.self.1.2~heads.cross.2.1",
    "only.masked.2.2",
    "layers.encoder.2",
    "sublayers.decoder.1.cross_attn~heads.masked.1.1",
]


@pytest.mark.parametrize("link", LINKS)
@pytest.mark.parametrize("kind", ["self", "masked", "cross"])
def test_taking_out_what_is_out_changes_nothing_and_anything_else_does(checkpoint: Checkpoint, link: str, kind: Kind) -> None:
    edits, wrong = Edits.from_link(link)
    assert not wrong
    ex, config = explain(checkpoint, "The otter hides two umbrellas.", "Der Otter."), checkpoint.config
    out = heads_out(edits, config, kind)

    def logits(more: frozenset[Head]) -> torch.Tensor:
        with_more = Edits(heads=edits.heads | more, only=edits.only, layers=edits.layers, sublayers=edits.sublayers)
        return traced_pass(checkpoint, [ex.source.ids], [ex.target.ids], site_edits(with_more, config))["output.logits"]

    before = logits(frozenset())
    for layer in range(config.n_layers):
        for head in range(config.n_heads):
            same = torch.equal(before, logits(frozenset({Head(kind, layer, head)})))
            assert same == ((layer, head) in out), (layer, head)
