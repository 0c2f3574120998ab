"""What the browser fetches of the figures of this page."""

from pages.training.gradient import gradient_maps
from pages.training.guided import guided

VIEWS = (guided, gradient_maps)
