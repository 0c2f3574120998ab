"""A figure that changes stays until the next is drawn: the last one is shown again, the very same, below the new one."""

from streamlit.testing.v1 import AppTest


def script() -> None:
    import streamlit as st

    from pages.training.newest import show_newest
    from viz_core.app.plotly_json import Ready
    from viz_core.figures.figure import Figure

    class Bare:
        @staticmethod
        def show(figure: Figure, key: str) -> None:
            figure.update_layout(meta={"description": key})
            st.plotly_chart(Ready(figure), key=key)

    show_newest(Bare(), Figure({"title": {"text": st.session_state.title}}), "curves")  # type: ignore[arg-type]


def test_the_last_figure_is_shown_again_unchanged_below_the_new_one() -> None:
    app = AppTest.from_function(script)
    shown = []
    for title in ("one", "two", "two", "three"):
        app.session_state["title"] = title
        app.run()
        assert not app.exception
        shown.append([(chart.proto.id, chart.proto.spec) for chart in app.get("plotly_chart")])
    one, two, again, three = shown
    assert [len(each) for each in shown] == [1, 2, 2, 2]
    assert (two[0], again, three[0]) == (one[0], two, two[1])
    assert '"two"' in two[1][1] and '"three"' in three[1][1]
