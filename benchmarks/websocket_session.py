"""One reader's session over Streamlit's own websocket, as the browser speaks: the same messages are sent, kept and forgotten."""

from __future__ import annotations

import asyncio
import json
import time
import urllib.request
from typing import Any, Self
from urllib.parse import urlencode, urljoin

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState, ContextInfo
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState, WidgetStates
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from benchmarks.answer import Answer, NoAnswer
from viz_core.params import EVERYWHERE

PATIENCE = 30.0
"""Seconds after which an answer counts as none."""
LARGEST = 200_000_000
"""Bytes of a message that are accepted, as `server.maxMessageSize`."""


class _Counting(ClientConnection):
    received = 0

    def data_received(self, data: bytes) -> None:
        self.received += len(data)
        super().data_received(data)


class Session:
    """A tab of a browser.

    Attributes:
        pages: path in the address → hash, for each page of the navigation; "" is the first.
        page: path of the current page.
        widgets: key → element, for each element of the page that has a key.
    """

    def __init__(self, url: str, socket: _Counting) -> None:
        self._url, self._socket = url, socket
        self.pages: dict[str, str] = {}
        self.page = ""
        self.widgets: dict[str, Any] = {}
        self._hash, self._query, self._visits = "", "", 0
        self._addresses: set[str] = set()
        self._fetched: set[str] = set()

    @classmethod
    async def open(cls, url: str) -> Self:
        """Loads the page as a browser does first, for the cookies that it sets, and connects. Nothing has run yet.

        Raises:
            NoAnswer: nobody listens there.
        """
        try:
            cookies = await asyncio.to_thread(_cookies, url)
            socket = await connect(
                f"{url.replace('http', 'ws', 1)}/_stcore/stream",
                create_connection=_Counting,
                subprotocols=["streamlit"],  # type: ignore[list-item]  # a NewType of str
                additional_headers={"Cookie": cookies} if cookies else None,
                origin=url,  # type: ignore[arg-type]  # as above
                max_size=LARGEST,
                open_timeout=PATIENCE,
            )
        except (OSError, TimeoutError, WebSocketException) as error:
            raise NoAnswer(f"{url}: {error}") from error
        assert isinstance(socket, _Counting)
        return cls(url, socket)

    async def close(self) -> None:
        await self._socket.close()

    async def start(self) -> Answer:
        """The first run, without a link."""
        return await self._ask(ClientState())

    async def go(self, page: str) -> Answer:
        """Another page, by a link of the app: Streamlit is told the address, and that what is chosen stays (`visits.ts`)."""
        if page not in self.pages:
            raise NoAnswer(f"there is no link to /{page}")
        self.page, self._hash = page, self.pages[page]
        shown, said = self.data("address"), json.dumps(self._said())
        everywhere = {name: text for name, text in shown.get("kept", {}).items() if name in {*EVERYWHERE, "lang"}}
        self._query = urlencode({**everywhere, "_said": said})
        return await self._ask(ClientState(query_string=self._query, is_history_navigation=True))

    async def visit(self, **changes: str) -> Answer:
        """Another address of the page that is shown, as the browser visits it (`visits.ts`)."""
        shown = self.data("address")
        of = {name: text for name, text in shown["of"].items() if name not in changes}
        parameters = {**shown.get("kept", {}), **changes}
        return await self._trigger("address", "visit", {"page": shown["page"], "parameters": parameters, **self._said(), "of": of})

    def _said(self) -> dict[str, Any]:
        self._visits += 1
        return {"number": self._visits, "of": {}, "dormant": {}, "carried": self.data("address")["carried"]}

    async def press(self, name: str) -> Answer:
        """A button of Streamlit's, by its name."""
        return await self._change(WidgetState(id=self._widget(name).id, trigger_value=True))

    def choosable(self) -> dict[str, list[str]]:
        """The page's own controls on display, by name, and what else can be picked in each."""
        controls = [json.loads(widget.json)[0] for name, widget in self.widgets.items() if name.startswith("_part_control_")]
        others = {each["name"]: [value for value, _ in each["options"] if value != each["value"]] for each in controls}
        return {name: values for name, values in others.items() if values}

    async def _trigger(self, part: str, event: str, value: Any) -> Answer:
        """A message of a browser-side part: what it gives to `setTriggerValue`."""
        name = f"$$STREAMLIT_INTERNAL_KEY_{self._widget(f'_part_{part}').id}__events"
        return await self._change(WidgetState(id=name, json_trigger_value=json.dumps([{"event": event, "value": value}])))

    def data(self, part: str) -> dict[str, Any]:
        """The latest JSON data of a browser-side part."""
        given: dict[str, Any] = json.loads(self._widget(f"_part_{part}").json)[0]
        return given

    def _widget(self, name: str) -> Any:
        if name not in self.widgets:
            raise NoAnswer(f"/{self.page} has no {name}")
        return self.widgets[name]

    async def _change(self, widget: WidgetState) -> Answer:
        return await self._ask(ClientState(query_string=self._query, widget_states=WidgetStates(widgets=[widget])))

    async def _ask(self, state: ClientState) -> Answer:
        state.page_script_hash = self._hash
        url = f"{self._url}/{self.page}"
        state.context_info.CopyFrom(ContextInfo(timezone="UTC", timezone_offset=0, locale="en-US", url=url, color_scheme="light"))
        before, answer, started = self._socket.received, Answer(), time.perf_counter()
        self._addresses = set()
        try:
            async with asyncio.timeout(PATIENCE):
                await self._socket.send(BackMsg(rerun_script=state).SerializeToString())
                while not self._take(await self._socket.recv(decode=False), answer):
                    pass
                fetched = await self._fetch()
        except (OSError, TimeoutError, WebSocketException) as error:
            raise NoAnswer(f"{url}: {type(error).__name__} {error}") from error
        answer.seconds = time.perf_counter() - started
        answer.bytes = self._socket.received - before + fetched
        return answer

    async def _fetch(self) -> int:
        """The data that parts of the page ask for by address, each address once, as the browser does; returns the bytes."""
        new = sorted(self._addresses - self._fetched)
        self._fetched.update(new)
        return sum(await asyncio.gather(*(asyncio.to_thread(_length, urljoin(self._url, address)) for address in new)))

    def _take(self, frame: bytes, answer: Answer) -> bool:
        """Takes in one message; whether it ends the answer."""
        message = ForwardMsg.FromString(frame)
        kind = str(message.WhichOneof("type"))
        if kind == "delta":
            kind = self._draw(message, answer)
        elif kind == "new_session":
            if not message.metadata.run.fragment_ids:
                self.widgets = {}
        elif kind == "navigation":
            self.pages = {
                "" if page.is_default else page.url_pathname: page.page_script_hash for page in message.navigation.app_pages
            }
            self._hash = message.navigation.page_script_hash
            self.page = next((page for page, name in self.pages.items() if name == self._hash), self.page)
        answer.note(kind, len(frame))
        # after a run that ended early follows the one that answers
        return kind == "script_finished" and message.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN

    def _draw(self, message: ForwardMsg, answer: Answer) -> str:
        """One change of the page; returns what kind it is."""
        if message.delta.WhichOneof("type") != "new_element":
            return str(message.delta.WhichOneof("type"))
        kind = str(message.delta.new_element.WhichOneof("type"))
        element = getattr(message.delta.new_element, kind)
        if hasattr(element, "id"):
            self.widgets[element.id.split("-", 2)[-1]] = element  # $$ID-<hash>-<key>
        if getattr(element, "json", "").startswith('[{"address"'):
            self._addresses.add(json.loads(element.json)[0]["address"])
        answer.note_error(self.page, kind, element)
        return kind


def _length(address: str) -> int:
    with urllib.request.urlopen(address, timeout=PATIENCE) as response:
        return len(response.read())


def _cookies(url: str) -> str:
    with urllib.request.urlopen(url, timeout=PATIENCE) as response:
        return "; ".join(cookie.split(";")[0] for cookie in response.headers.get_all("Set-Cookie", []))
