"""The data that this page's figures fetch."""

from pages.training.gradient import gradient_maps
from pages.training.guided import guided

VIEWS = (guided, gradient_maps)
