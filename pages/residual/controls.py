"""The controls of this page: what links, talks and “try this” may set."""

from viz_core.app.controls import Choice, Item, Slider

SHOW = Choice("show", ("stream", "norm", "ffn"))
STACK = Choice("stack", ("encoder", "decoder"))
SUBLAYERS = {
    "encoder": Choice("sublayer_encoder", ("encoder_self_attn", "encoder_ffn")),
    "decoder": Choice("sublayer_decoder", ("decoder_self_attn", "decoder_cross_attn", "decoder_ffn")),
}
SUBLAYER_ENCODER, SUBLAYER_DECODER = SUBLAYERS.values()
TOKEN = Item("token", width=150)
DIM = Slider("dim", width=240)
UNIT = Item("unit")
