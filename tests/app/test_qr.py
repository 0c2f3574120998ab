"""QR codes: what a camera reads is the link, and what is drawn can be read in both themes."""

import re
from urllib.parse import unquote

import numpy as np
import numpy.typing as npt
import pytest
import zxingcpp

from viz_core.app.top_bar import LARGEST_QR, QUIET, qr_code
from viz_core.errors import LinkError

LINK = "http://192.168.0.7:8501/cross_attention?text=The+cat+sleeps.&step=2&layer=1&head=3"


def svg(link: str) -> str:
    kind, drawn = qr_code(link).split(",", 1)
    assert kind.startswith("data:image/svg+xml")
    return unquote(drawn)


def picture_of(link: str) -> npt.NDArray[np.uint8]:
    """The picture that the SVG draws, one pixel a module: 255 is white. Its path is one line for each run of dark modules."""
    drawn = svg(link)
    (size,) = map(int, re.findall(r"viewBox='0 0 (\d+) \1'", drawn))
    (path,) = re.findall(r"stroke='#000' d='(.*?)'", drawn)
    assert re.fullmatch(r"(?:[Mm]-?\d+ -?[\d.]+(?:h\d+)?)+", path)
    picture = np.full((size, size), 255, np.uint8)
    x, y = 0.0, 0.0
    for command, across, down, width in re.findall(r"([Mm])(-?\d+) (-?[\d.]+)(?:h(\d+))?", path):
        x, y = (float(across), float(down)) if command == "M" else (x + float(across), y + float(down))
        picture[int(y), int(x) : int(x) + int(width or 0)] = 0
        x += int(width or 0)
    return picture


@pytest.mark.parametrize("link", [LINK, LINK + "&" + "x=%C3%BC&" * 100, "http://a/?text=Tür&target=猫", "h" * LARGEST_QR])
def test_a_camera_reads_the_link(link: str) -> None:
    found = zxingcpp.read_barcodes(np.kron(picture_of(link), np.ones((4, 4), np.uint8)))
    assert [one.text for one in found] == [link]


def test_white_edge_is_as_wide_as_the_standard_asks() -> None:
    picture = picture_of(LINK)
    dark = np.argwhere(picture == 0)
    assert dark.min() == QUIET == 4
    assert dark.max() == len(picture) - 1 - QUIET


@pytest.mark.parametrize(
    ("link", "said"), [("x" * (LARGEST_QR + 1), "2,954 bytes, at most 2,953"), ("ü" * 1_500, "3,000 bytes"), ("", "no link")]
)
def test_what_no_code_can_hold_is_refused(link: str, said: str) -> None:
    with pytest.raises(LinkError, match=said):
        qr_code(link)
