"""Letters on the roles' colours can be read from the last row."""

import pytest

from viz_core.figures.palette import contrast, rgb


def test_contrast_is_that_of_wcag() -> None:
    assert contrast(rgb("#000000"), rgb("#FFFFFF")) == pytest.approx(21)
    assert contrast(rgb("#767676"), rgb("#FFFFFF")) == pytest.approx(4.54, abs=0.005)  # the well-known lightest grey that passes
