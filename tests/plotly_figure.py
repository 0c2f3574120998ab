"""Our figures as plotly's own class understands them; it refuses what plotly does not know."""

import plotly.graph_objects as go

from viz_core.figures.figure import Figure


def checked(figure: Figure) -> go.Figure:
    """The figure with its values as attributes.

    Raises:
        ValueError: plotly knows no such property, or not with this value.
    """
    return go.Figure({"data": figure.data, "layout": figure.layout})
