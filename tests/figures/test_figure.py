"""A figure of plain values is the one that plotly's own class would have built from the same calls."""

import base64

import numpy as np
import plotly.graph_objects as go

from tests.payloads import unpacked
from viz_core.app.plot import plot_payload
from viz_core.figures.figure import Figure


def test_the_same_calls_give_what_plotly_gives() -> None:
    axes = {"xaxis": {"ticks": "outside"}, "yaxis": {}, "yaxis2": {"domain": [0, 0.3]}}
    layout = {**axes, "title": None, "paper_bgcolor": "white", "template": {"layout": {"showlegend": True}}}
    ours, theirs = Figure(layout), go.Figure(layout=layout)
    for each in (ours, theirs):
        each.add_heatmap(z=np.eye(3, dtype=np.float32), colorbar={"title": "share"}, showscale=None)
        each.add_bar(x=[1, 2], y=[3, 4], marker_color="red", marker={"line_width": 2}, error_y={"array": [1, 1]})
        each.add_scatter(x=np.arange(3, dtype=np.float32), y=[1, None, 2], mode="lines")
        each.add_annotation(text="a", x=1, y=2, font_size=20)
        each.add_shape(type="rect", x0=0, x1=1, y0=0, y1=1, line={"width": 0})
        each.add_hline(y=0.5, line={"dash": "dot"})
        each.update_layout(margin_t=4, margin={"b": 5}, plot_bgcolor="black", xaxis={"title": "words"})
        each.update_xaxes(title_standoff=3, range=[0, 1])
        each.update_yaxes(showgrid=True)
    sent = unpacked(plot_payload(ours))[1]["figure"]
    assert sent["layout"].pop("meta")["says"] == []
    assert sent == theirs.to_dict()


def test_arrays_of_whole_numbers_are_sent_exactly_and_no_number_as_none() -> None:
    figure = Figure({})
    whole = [np.arange(3), np.array([2**31 - 1, -(2**31)]), np.array([2**40], dtype=np.int64)]
    for each in whole:
        figure.add_scatter(x=each)
    figure.add_scatter(y=[1.0, float("nan"), np.float32(2)])
    *sent, lists = (trace.get("x", trace.get("y")) for trace in unpacked(plot_payload(figure))[1]["figure"]["data"])
    for numbers, packed in zip(whole, sent, strict=True):
        assert np.frombuffer(base64.b64decode(packed["bdata"]), packed["dtype"]).tolist() == numbers.tolist()
        assert packed["dtype"] != "i8", "JavaScript has none"
    assert lists == [1.0, None, 2.0]
