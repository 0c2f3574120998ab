"""Labels that have to fit a place."""

from viz_core.figures.base import clipped, shortened


def test_a_chinese_text_is_cut_at_half_as_many_characters() -> None:
    assert [clipped(text, 6) for text in ("", "window", "windows", "三个字", "四个汉字", "a三个字")] == [
        "", "window", "windo…", "三个字", "四个…", "a三个…",
    ]  # fmt: skip


def test_a_shortened_text_ends_with_a_whole_word() -> None:
    texts = "a short one", "Paul has dogs, and", "Paul has a cat and", "Donaudampfschiff", "三个字三个字三个字"
    assert [shortened(text, 14) for text in texts] == [
        "a short one", "Paul has dogs…", "Paul has a…", "Donaudampfsch…", "三个字三个字…",
    ]  # fmt: skip
