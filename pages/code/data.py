"""The data of this page's figures."""

from pages.code.untrained import untrained_steps
from pages.code.variants import mask_value, norm_place

VIEWS = (mask_value, norm_place, untrained_steps)
