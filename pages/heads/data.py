"""What the browser fetches of the figures of this page."""

from __future__ import annotations

from pages.heads.attention_flow import attention_through
from pages.heads.norm_weighted import norms_of_head, norms_of_layer

VIEWS = (attention_through, norms_of_head, norms_of_layer)
