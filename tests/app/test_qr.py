"""QR codes: what a camera reads is the link, and what is drawn can be read in both themes."""

from __future__ import annotations

import re

import numpy as np
import numpy.typing as npt
import pytest
import zxingcpp

from viz_core.app.qr import LONGEST, QUIET, Code, qr_code
from viz_core.errors import LinkError

LINK = "http://192.168.0.7:8501/cross_attention?text=The+cat+sleeps.&step=2&layer=1&head=3"


def drawn(code: Code) -> npt.NDArray[np.uint8]:
    """The picture that the SVG draws, one pixel a module: 255 is white."""
    picture = np.full((code.size, code.size), 255, np.uint8)
    rectangles = re.findall(r"M(\d+) (\d+)h(\d+)v1h-\3z", code.path)
    assert "".join(f"M{x} {y}h{width}v1h-{width}z" for x, y, width in rectangles) == code.path
    for x, y, width in rectangles:
        picture[int(y), int(x) : int(x) + int(width)] = 0
    return picture


@pytest.mark.parametrize("link", [LINK, LINK + "&" + "x=%C3%BC&" * 100, "http://a/?text=Tür&target=猫", "h" * LONGEST])
def test_a_camera_reads_the_link(link: str) -> None:
    picture = np.kron(drawn(qr_code(link)), np.ones((4, 4), np.uint8))
    found = zxingcpp.read_barcodes(picture)
    assert [one.text for one in found] == [link]


def test_white_edge_is_as_wide_as_the_standard_asks() -> None:
    picture = drawn(qr_code(LINK))
    dark = np.argwhere(picture == 0)
    assert dark.min() == QUIET == 4
    assert dark.max() == len(picture) - 1 - QUIET


def test_black_on_white_whatever_the_theme_and_the_label_is_text() -> None:
    svg = qr_code(LINK).svg('"><script>alert(1)</script>')
    assert re.findall(r'fill="(.*?)"', svg) == ["#ffffff", "#000000"]
    assert "<script" not in svg
    assert "currentColor" not in svg


@pytest.mark.parametrize(
    ("link", "said"), [("x" * (LONGEST + 1), "2,954 bytes, at most 2,953"), ("ü" * 1_500, "3,000 bytes"), ("", "no link")]
)
def test_what_no_code_can_hold_is_refused(link: str, said: str) -> None:
    with pytest.raises(LinkError, match=said):
        qr_code(link)
