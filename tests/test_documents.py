"""The documents: links and anchors lead somewhere, README stays short."""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

ROOT = Path(__file__).parents[1]
TRACKED = subprocess.run(["git", "ls-files", "*.md"], cwd=ROOT, capture_output=True, text=True, check=False).stdout.split()
LINK = re.compile(r"\]\(([^()\s]+)\)")
APP = "http://localhost:8501"
_, *PAGES = re.findall(r'"(\w+)"[],]', (ROOT / "pages" / "tour.py").read_text("utf-8"))


def prose(text: str) -> str:
    """The text without its code blocks."""
    return re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)


def anchors(path: Path) -> set[str]:
    """The anchors that GitHub makes of the headings."""
    headings = re.findall(r"^#+ (.+)$", prose(path.read_text("utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def links(name: str) -> Iterator[str]:
    """The targets of a document's links and pictures."""
    yield from LINK.findall(prose((ROOT / name).read_text("utf-8")))


def test_relative_links_and_anchors_exist() -> None:
    for name, link in ((document, link) for document in TRACKED for link in links(document)):
        path, _, anchor = link.partition("#")
        target = (ROOT / name).parent / path if path else ROOT / name
        if not urlsplit(link).scheme:
            assert target.exists(), f"{name}: {link}"
            assert not anchor or anchor in anchors(target), f"{name}: {link}"


@pytest.mark.parametrize("name", ["README.md", "README.zh.md"])
def test_the_readme_is_short_and_its_tour_has_every_page(name: str) -> None:
    text = (ROOT / name).read_text("utf-8")
    assert text.count("\n") <= 150
    assert len(text.encode()) <= 10_240
    assert re.findall(r"^\| [^|]+ \| `/(\w*)` \|", text, re.MULTILINE) == ["", *PAGES]


def test_no_line_of_prose_is_long() -> None:
    lines = [(name, line) for name in TRACKED for line in prose((ROOT / name).read_text("utf-8")).split("\n")]
    assert [(name, line) for name, line in lines if len(line) > 120 and not line.lstrip().startswith(("|", "python -m"))] == []


@pytest.mark.parametrize("name", ["README.md", "README.zh.md"])
def test_links_into_the_app_use_parameters_that_it_has(name: str) -> None:
    listed = dict(re.findall(r"^\| ([^|]+) \| (.*) \|$", (ROOT / "docs/links.md").read_text("utf-8"), re.MULTILINE))
    addresses = [urlsplit(link) for link in links(name) if link.startswith(f"{APP}/")]
    assert len(addresses) >= 6
    for url in addresses:
        rows = " ".join(row for page, row in listed.items() if page in ("every page", "attention pages", f"`{url.path}`"))
        assert url.path == "/" or url.path[1:] in PAGES
        assert all(f"`{parameter}`" in rows for parameter in parse_qs(url.query)), url
