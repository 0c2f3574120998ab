"""An example of every intervention, for a model of two layers and four heads, for the tests that all of them must pass."""

from viz_core.edits import INTERVENTIONS, Edits, Head, Layer, Sublayer

EXAMPLES = {
    "heads": Edits(heads={Head("self", 0, 1), Head("masked", 1, 0), Head("masked", 1, 2), Head("cross", 0, 3)}),
    "only": Edits(only={Head("cross", 0, 2), Head("cross", 0, 3), Head("self", 1, 0)}),
    "layers": Edits(layers={Layer("encoder", 1), Layer("decoder", 0)}),
    "sublayers": Edits(sublayers={Sublayer("encoder", 0, "ffn"), Sublayer("decoder", 1, "cross_attn")}),
    "no_scale": Edits(no_scale=True),
    "temperature": Edits(temperature=0.25),
    "no_causal_mask": Edits(no_causal_mask=True),
    "no_padding_mask": Edits(no_padding_mask=True),
    "uniform": Edits(uniform={"masked", "cross"}),
    "no_positions": Edits(no_positions=True),
    "reversed_positions": Edits(reversed_positions=True),
    "no_residual": Edits(no_residual=True),
    "no_layer_norm": Edits(no_layer_norm=True),
    "force": Edits(force={0: "die", 2: "·t"}),
    "swap": Edits(swap={1: "nurse"}),
}
assert EXAMPLES.keys() == INTERVENTIONS.keys(), "a new intervention needs an example here"

LINKS = {
    "heads": "heads.cross.1.4~heads.masked.2.1_3~heads.self.1.2",
    "only": "only.cross.1.3-4~only.self.2.1",
    "layers": "layers.decoder.1~layers.encoder.2",
    "sublayers": "sublayers.decoder.2.cross_attn~sublayers.encoder.1.ffn",
    "temperature": "temperature.0.25",
    "uniform": "uniform.masked~uniform.cross",
    "force": "force.1.die~force.3.·t",
    "swap": "swap.2.nurse",
}
"""As they stand in an address; a switch is its name."""
