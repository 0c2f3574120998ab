"""The data of this page's figures."""

from pages.code.corner import call_map, corner
from pages.code.untrained import untrained_steps
from pages.code.variants import mask_value, norm_place

VIEWS = (call_map, corner, mask_value, norm_place, untrained_steps)
