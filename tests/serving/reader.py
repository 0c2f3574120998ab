"""A reader without a browser: cookies, a websocket in which the app runs, and uploads."""

from __future__ import annotations

from http.cookies import SimpleCookie
from urllib.parse import quote, urljoin

import httpx
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets import Origin, Subprotocol
from websockets.sync.client import ClientConnection, connect


class Reader:
    """One session. url: of the app, without a slash at its end."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.client = httpx.Client(base_url=url, timeout=60, follow_redirects=True, trust_env=False)
        for path in ("/", "/_stcore/health"):  # the second one brings the token against forged requests
            self.client.get(path).raise_for_status()
        self.socket: ClientConnection | None = None
        self.session = ""

    def __enter__(self) -> Reader:
        return self

    def __exit__(self, *_: object) -> None:
        if self.socket:
            self.socket.close()
        self.client.close()

    @property
    def worker(self) -> str | None:
        """What the proxy's cookie says."""
        return self.client.cookies.get("viz_worker")

    @property
    def token(self) -> str:
        """Streamlit's, against forged requests."""
        return self.client.cookies["_streamlit_xsrf"]

    def connect(self) -> None:
        """Opens the websocket as a browser does: with its cookies, from a page of the same origin. Keeps what cookies come back."""
        cookies = "; ".join(f"{name}={value}" for name, value in self.client.cookies.items())
        self.socket = connect(
            f"{self.url.replace('http', 'ws', 1)}/_stcore/stream",
            origin=Origin(urljoin(self.url, "/")[:-1]),
            additional_headers={"Cookie": cookies},
            subprotocols=[Subprotocol("streamlit"), Subprotocol(self.token)],
            max_size=None,
            proxy=None,
        )
        for header in self.socket.response.headers.get_all("Set-Cookie") if self.socket.response else ():
            for name, morsel in SimpleCookie(header).items():
                self.client.cookies.delete(name)
                self.client.cookies.set(name, morsel.value)

    def run(self, query: str, page: str = "") -> str:
        """All that one run of the app sends, as text with some signs between. query: of the address."""
        if self.socket is None:
            self.connect()
        assert self.socket
        message = BackMsg()
        message.rerun_script.query_string = query
        message.rerun_script.page_name = page
        self.socket.send(message.SerializeToString())
        came = b""
        while True:
            content = self.socket.recv(timeout=60)
            assert isinstance(content, bytes)
            came += content
            forward = ForwardMsg.FromString(content)
            if forward.HasField("new_session"):
                self.session = forward.new_session.initialize.session_id
            if forward.HasField("script_finished"):
                return came.decode("utf-8", "replace")

    def upload(self, size: int) -> int:
        """The status with which a file of that many bytes is taken or refused."""
        where = f"/_stcore/upload_file/{quote(self.session)}/file"
        return self.client.put(where, files={"file": b"x" * size}, headers={"X-Xsrftoken": self.token}).status_code
