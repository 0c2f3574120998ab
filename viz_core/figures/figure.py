"""A figure as plain values for plotly.js."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

WHOLE = {"paper_bgcolor", "plot_bgcolor"}
"""Names that contain an underscore; any other underscore leads one level down: `margin_t` is the `t` of `margin`."""

Properties = dict[str, Any]


class Figure:
    """Traces and a layout, with those methods of `plotly.graph_objects.Figure` that our figures use.

    plotly's own class validates each value as it is set and copies the existing ones: a figure with thirty texts takes 40 to 75 ms,
    several times as long as the rest of a page. This class validates nothing; the tests pass each figure that a page shows to
    plotly's class (`tests/conftest.py`).

    Attributes:
        data: traces, in the order in which they are drawn.
        layout: everything else.
    """

    def __init__(self, layout: Mapping[str, Any]) -> None:
        self.data: list[Properties] = []
        self.layout = _nested(layout)

    def add_heatmap(self, **properties: Any) -> None:
        self._add("heatmap", properties)

    def add_scatter(self, **properties: Any) -> None:
        self._add("scatter", properties)

    def add_annotation(self, **properties: Any) -> None:
        """Adds a text, already escaped, and an arrow from it with `showarrow`."""
        self.add_annotations([properties])

    def add_annotations(self, notes: Iterable[Mapping[str, Any]]) -> None:
        self.layout.setdefault("annotations", []).extend(map(_nested, notes))

    def add_shape(self, **properties: Any) -> None:
        self.add_shapes([properties])

    def add_shapes(self, shapes: Iterable[Mapping[str, Any]]) -> None:
        self.layout.setdefault("shapes", []).extend(map(_nested, shapes))

    def add_hline(self, y: float, **properties: Any) -> None:
        """A line over the whole width of the first axes."""
        self.add_shape(type="line", x0=0, x1=1, xref="x domain", y0=y, y1=y, yref="y", **properties)

    def update_layout(self, **properties: Any) -> None:
        """Changes the named properties, at any level, and leaves the rest; a list is replaced as a whole."""
        _merge(self.layout, _nested(properties))

    def update_xaxes(self, **properties: Any) -> None:
        for axis in self.axes("x"):
            _merge(axis, _nested(properties))

    def update_yaxes(self, **properties: Any) -> None:
        for axis in self.axes("y"):
            _merge(axis, _nested(properties))

    def axes(self, way: str) -> Iterator[Properties]:
        """All horizontal ("x") or vertical ("y") axes in the layout."""
        return (axis for name, axis in self.layout.items() if name.startswith(f"{way}axis"))

    def plotly(self) -> Any:
        """The figure as a `plotly.graph_objects.Figure`.

        Raises:
            ValueError: plotly does not know a property, or not with this value.
        """
        import plotly.graph_objects as go  # only tests and notebooks need it

        return go.Figure({"data": self.data, "layout": self.layout})

    def _repr_mimebundle_(self, *args: Any, **options: Any) -> Any:
        """Lets a notebook draw the figure."""
        return self.plotly()._repr_mimebundle_(*args, **options)

    def _add(self, kind: str, properties: Mapping[str, Any]) -> None:
        self.data.append({**_nested(properties), "type": kind})


def _nested(properties: Mapping[str, Any]) -> Properties:
    """The properties as nested dicts, without None."""
    nested: Properties = {}
    for name, value in properties.items():
        if value is None:
            continue
        first, _, rest = (name, "", "") if name in WHOLE else name.partition("_")
        inner = {rest: value} if rest else {"text": value} if first == "title" and isinstance(value, str) else value
        if isinstance(inner, Mapping):
            _merge(nested.setdefault(first, {}), _nested(inner))
        else:
            nested[first] = inner
    return nested


def _merge(into: Properties, properties: Properties) -> None:
    for name, value in properties.items():
        if isinstance(value, dict) and isinstance(into.get(name), dict):
            _merge(into[name], value)
        else:
            into[name] = value
