"""Labels that have to fit a place."""

from viz_core.figures.base import clipped


def test_a_chinese_text_is_cut_at_half_as_many_characters() -> None:
    assert [clipped(text, 6) for text in ("", "window", "windows", "三个字", "四个汉字", "a三个字")] == [
        "", "window", "windo…", "三个字", "四个…", "a三个…",
    ]  # fmt: skip
