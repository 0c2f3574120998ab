"""Letters on the roles' colours can be read from the last row."""

from __future__ import annotations

import pytest

from pages.qkv.figures import sources_figure
from tests.plotly_figure import checked
from viz_core.figures.palette import DARK, LIGHT, Palette, between, contrast, rgb

ROLES = ("q", "k", "v")


def test_contrast_is_that_of_wcag() -> None:
    assert contrast(rgb("#000000"), rgb("#FFFFFF")) == pytest.approx(21)
    assert contrast(rgb("#767676"), rgb("#FFFFFF")) == pytest.approx(4.54, abs=0.005)  # the well-known lightest grey that passes


@pytest.mark.parametrize("palette", [LIGHT, DARK])
@pytest.mark.parametrize("highlighted", [None, "k"])
def test_words_on_the_ribbons_stand_out(palette: Palette, highlighted: str | None) -> None:
    fig = checked(
        sources_figure(
            [("X", "8 × 32", "encoder")],
            dict.fromkeys(ROLES, 0),
            dict.fromkeys(ROLES, "8 × 4"),
            highlighted=highlighted,
            palette=palette,
        )
    )
    inks = [note.font.color for note in fig.layout.annotations if "<sup>" in note.text]
    ribbons = [(shape.fillcolor, shape.opacity) for shape in fig.layout.shapes if shape.type == "path"]
    assert len(inks) == len(ribbons) == 3
    for ink, (colour, opacity) in zip(inks, ribbons, strict=True):
        assert contrast(rgb(ink), between(rgb(palette.surface), rgb(colour), opacity)) >= 4.5
