"""The HTML file says what the browser may do, and nothing that was typed is markup in it."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from typing import Any

import pytest

from viz_core.app.html_file import Part, alone

TYPED = "</script><b>x</b><!-- & \u2028 \x00 “"
ELEMENTS = "html head meta meta meta title style body header h1 main noscript p footer script script script"
SHARED: dict[str, Any] = {
    "theme": {},
    "limits": {"steps": 3},
    "view": {"step": 1},
    "player": {},
}


def file(script: str = "const a = 1 < 2;") -> str:
    part = Part("attention_view", b"\x00</script>", script, "")
    return alone(TYPED, TYPED, [part], top_bar={"target": [[TYPED, 0]]}, **SHARED).decode()


class Outline(HTMLParser):
    """The elements of a document, and the text of its scripts."""

    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []
        self.scripts: list[str] = []
        self.policy = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.append(tag)
        given = dict(attrs)
        if given.get("http-equiv") == "Content-Security-Policy":
            self.policy = given["content"] or ""
        if tag == "script":
            self.scripts.append("")
        assert not {"src", "href", "onload", "onerror"} & set(given)

    def handle_data(self, data: str) -> None:
        if self.cdata_elem == "script":
            self.scripts[-1] += data


def outline(text: str) -> Outline:
    found = Outline()
    found.feed(text)
    return found


def test_typed_text_is_only_data() -> None:
    found = outline(file())
    assert " ".join(found.names) == ELEMENTS
    data = json.loads(found.scripts[0])
    assert data["top_bar"]["target"] == [[TYPED, 0]]
    assert base64.b64decode(data["parts"][0]["payload"]) == b"\x00</script>"
    assert "&lt;/script&gt;&lt;b&gt;x&lt;/b&gt;&lt;!-- &amp; ⟨2028⟩ ⟨00⟩ “</" in file()


def test_the_policy_lets_these_scripts_run_and_no_other() -> None:
    found = outline(file())
    hashes = [base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in found.scripts[1:]]
    assert re.findall(r"'sha256-([^']+)'", found.policy) == hashes
    assert found.policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe-inline" not in found.policy.split("style-src")[0]
    assert "http" not in found.policy


@pytest.mark.parametrize("script", ["a = '</script>'", "a = '<!--'", "a = '<SCRIPT'"])
def test_a_script_of_ours_that_would_end_early_is_refused(script: str) -> None:
    with pytest.raises(ValueError, match="end early"):
        file(script)
