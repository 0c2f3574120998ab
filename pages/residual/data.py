"""The data of this page's figures."""

from pages.residual.feed_forward import feed_forward_view
from pages.residual.layer_norm import layer_norm_view
from pages.residual.stream import residual_stream

VIEWS = (residual_stream, layer_norm_view, feed_forward_view)
