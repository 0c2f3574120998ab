"""The tables of the page "The code": their labels, and the highlighted row."""

import re

from pages.code.figures import number_table


def test_a_table_has_its_labels_and_marks_one_row() -> None:
    drawn = number_table(["", "a", "<b>"], [["x", "1", "2"], ["y & z", "3", "4"]], name="corner", highlighted=1)
    rows = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row) for row in re.findall(r"<tr.*?</tr>", drawn)]
    assert '<th scope="col"></th>' not in drawn
    assert rows == [["", "a", "&lt;b&gt;"], ["x", "1", "2"], ["y &amp; z", "3", "4"]]
    assert re.findall(r'<tr class="(\w+)"><th[^>]*>(.*?)<', drawn) == [("highlighted", "y &amp; z")]
    worded = number_table(["", "w", "n"], [["x", "word", "2"]], name="corner", words=(1,))
    assert re.findall(r'<t[hd][^>]* class="word">(.*?)<', worded)[-3:] == ["w", "x", "word"]
    assert '<tr class="sum"><th' in number_table(["", "a"], [["x", "1"], ["all", "1"]], name="cost", sums=1)
