"""An address of no page leads to the overview, with its parameters; everything else is answered as before."""

import pytest
import streamlit as st
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route
from starlette.testclient import TestClient
from streamlit.web.server.starlette.starlette_path_security_middleware import PathSecurityMiddleware
from streamlit.web.server.starlette.starlette_static_routes import create_streamlit_static_assets_routes

from viz_core.app.addresses import UnknownAddresses, nearest

PAGES = ("overview", "tokens", "self_attention", "cross_attention", "why")
READS = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


@pytest.fixture(params=["", "viz"])
def opened(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> tuple[str, TestClient]:
    """What the app's addresses begin with, and a browser at a server with Streamlit's own files and two routes."""
    base: str = request.param
    monkeypatch.setattr(st, "get_option", lambda _: base)
    at = f"/{base}" if base else ""
    own = [Route(f"{at}/parts/notes", lambda _: HTMLResponse("notes")), Route(f"{at}/gone", lambda _: Response(status_code=404))]
    routes = [*own, *create_streamlit_static_assets_routes(base)]
    middleware = [Middleware(UnknownAddresses, pages=PAGES), Middleware(PathSecurityMiddleware)]
    app = Starlette(routes=routes, middleware=middleware)
    return at, TestClient(app, follow_redirects=False, headers=READS)


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("attention", "attention"), ("cross_attention/x", "cross_attention%2Fx"), ("a/b/c/d", "a%2Fb%2Fc%2Fd"),
        ("TOKENS", "TOKENS"), ("static/x", "static%2Fx"), ("static/js/x.js", "static%2Fjs%2Fx.js"), ("..%2f", ".."),
        ("..%2f..%2fetc", "..%2F..%2Fetc"), ("%ff%3Cb%3E%00", "%EF%BF%BD%3Cb%3E%00"), ("gone", "gone"),
        ("_stcore/nothing", "_stcore%2Fnothing"),
    ],
)  # fmt: skip
def test_an_unknown_address_leads_to_the_overview_with_its_parameters(opened: tuple[str, TestClient], path: str, said: str) -> None:
    base, browser = opened
    asked = browser.get(f"{base}/{path}?text=A+dog.&step=3&x=%ff")
    assert (asked.status_code, asked.headers["location"]) == (302, f"{base}/?no_page={said}&text=A+dog.&step=3&x=%ff")
    assert browser.get(f"{base}/{path}", headers={"If-None-Match": browser.get(f"{base}/").headers["etag"]}).status_code == 302


def test_the_overview_by_its_name_is_no_unknown_page(opened: tuple[str, TestClient]) -> None:
    base, browser = opened
    assert browser.get(f"{base}/Overview?step=2").headers["location"] == f"{base}/?step=2"
    assert browser.get(f"{base}/overview").headers["location"] == f"{base}/"


def test_pages_files_and_routes_are_answered_as_before(opened: tuple[str, TestClient]) -> None:
    base, browser = opened
    own = browser.get(f"{base}/").text
    assert "<script" in own
    assert [browser.get(f"{base}/{page}").text == own for page in ("tokens", "why")] == [True, True]
    assert browser.get(f"{base}/tokens/?step=2").status_code == 301
    assert browser.get(f"{base}/parts/notes").text == "notes"
    assert browser.get(f"{base}/favicon.png").headers["content-type"] == "image/png"
    assert browser.get(f"{base}/gone", headers={"Accept": "*/*"}).status_code == 404, "a script asks for it"
    assert browser.post(f"{base}/attention").status_code == 405


@pytest.mark.parametrize(
    ("asked", "near"),
    [
        ("attention", ["self_attention", "cross_attention"]), ("cross_attention/x", ["cross_attention"]),
        ("x/cross-attention/", ["cross_attention"]), ("TOKENS", ["tokens"]), ("tokens.html", ["tokens"]), ("overvew", []),
        ("static/x", []), ("../", []),
    ],
)  # fmt: skip
def test_the_nearest_pages_are_offered(asked: str, near: list[str]) -> None:
    assert nearest(asked, PAGES) == near
