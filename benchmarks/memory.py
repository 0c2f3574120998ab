"""How much memory a server takes after many sentences, many sessions and some fine-tunings: it is to stay flat.

    python -m benchmarks.memory              1,000 sentences of about 100 tokens, 100 sessions, 8 fine-tunings: about 25 minutes
    python -m benchmarks.memory --quick      60 sentences, 20 sessions, 1 fine-tuning: about 3 minutes

A real server, spoken to over Streamlit's own websocket. Prints the resident memory of its process as it goes.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from itertools import cycle
from urllib.parse import urlencode, urlsplit

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import connect
from websockets.typing import Subprotocol

from benchmarks.browser import PATIENCE
from benchmarks.server import answers, memory, server
from benchmarks.subject import WORDS

AIM = 1200
"""MB at most, at any time."""
FLAT = 1.1
"""The last of many sentences may take so many times the memory that the first third took."""
PAGES = ("", "residual", "self_attention", "cross_attention", "qkv", "output", "embeddings", "tokens", "why", "heads")
LENGTH = 85
"""Words of a sentence: about 100 tokens."""


class Reader:
    """A session: what the script draws for it is received and forgotten, but for the buttons."""

    def __init__(self, url: str) -> None:
        address, name = f"ws://{urlsplit(url).netloc}/_stcore/stream", Subprotocol("streamlit")
        self._open = ExitStack()
        self._socket = self._open.enter_context(connect(address, subprotocols=[name], max_size=None, open_timeout=PATIENCE))
        self._buttons: dict[str, str] = {}
        self._page, self._visits, self._address = "", 0, ""

    def look(self, page: str = "", press: str = "", **parameters: str) -> None:
        """Waits until the page has been drawn as a link with these parameters opens it, or as it is after a press of a button.

        Raises:
            RuntimeError: the page has failed.
        """
        said = BackMsg()
        said.rerun_script.page_name = page
        said.rerun_script.query_string = urlencode(parameters)
        if press:
            said.rerun_script.widget_states.widgets.add(id=self._buttons[press], trigger_value=True)
        elif page == self._page and self._address:  # as the browser says that Back was pressed within a page (`visits.ts`)
            self._visits += 1
            value = {"page": page or "overview", "number": self._visits, "parameters": parameters}
            event = {"event": "visit", "value": value}
            name = f"$$STREAMLIT_INTERNAL_KEY_{self._address}__events"
            said.rerun_script.widget_states.widgets.add(id=name, json_trigger_value=json.dumps([event]))
        self._page = page
        self._socket.send(said.SerializeToString())
        self._buttons = {}
        begun = False
        while True:
            message = ForwardMsg.FromString(self._socket.recv(timeout=PATIENCE, decode=False))
            kind, element = message.WhichOneof("type"), message.delta.new_element
            begun |= kind == "new_session"
            if element.WhichOneof("type") == "exception":
                raise RuntimeError(f"/{page}?{urlencode(parameters)[:80]}: {element.exception.message}")
            if element.bidi_component.id.endswith("-_part_address"):
                self._address = element.bidi_component.id
            if element.WhichOneof("type") == "button":
                self._buttons[element.button.id.split("-", 2)[-1]] = element.button.id
            if begun and kind == "script_finished":
                return

    def offers(self, button: str) -> bool:
        """Whether the page has this button, by its key."""
        return button in self._buttons

    def leave(self) -> None:
        self._open.close()


def sentence(number: int) -> str:
    """A text of about 100 tokens, another one for each number."""
    dice = random.Random(number)
    return " ".join(dice.choice(WORDS.split()) for _ in range(LENGTH)) + f" {number}."


def main(arguments: Sequence[str] | None = None) -> int:
    """Measures and prints; 0 also where an aim is missed."""
    parser = argparse.ArgumentParser(
        "python -m benchmarks.memory", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="60 sentences, 20 sessions, 1 fine-tuning")
    quick = parser.parse_args(arguments).quick
    with server() as (process, url):
        answers(url)
        curve = []
        for what, kind in measured(url, *((60, 20, 1) if quick else (1000, 100, 8))):
            curve.append((kind, memory(process.pid)))
            print(f"{what:<56} {curve[-1][1]:6.0f} MB", flush=True)
    sentences = [size for kind, size in curve if kind == "sentences"]
    growth = sentences[-1] / max(sentences[: max(len(sentences) // 3, 1)])
    most = max(size for _, size in curve)
    print(f"The most: {most:.0f} MB, {'met' if most <= AIM else 'MISSED'}: at most {AIM}.")
    print(f"The last sentences / the first third: {growth:.2f}, {'met' if growth <= FLAT else 'MISSED'}: at most {FLAT}.")
    return 0


def measured(url: str, sentences: int, sessions: int, tunings: int) -> Iterator[tuple[str, str]]:
    """Performs the actions in turn, and yields the name and the kind of each one after it."""
    reader = Reader(url)
    reader.look()
    yield "the first page", "start"
    pages = cycle(PAGES)
    for number in range(sentences):
        reader.look(next(pages), text=sentence(number))
        if (number + 1) % (sentences // 12) == 0:
            yield f"{number + 1:,} sentences of about 100 tokens, on all pages in turn", "sentences"
    readers = []
    for number in range(sessions):
        readers.append(Reader(url))
        readers[-1].look(next(pages), text=sentence(-1 - number))
        if (number + 1) % (sessions // 4) == 0:
            yield f"{number + 1} further sessions, each with its own sentence", "sessions"
    for each in readers:
        each.leave()
    time.sleep(1)
    yield "when they have left", "sessions"
    reader.look(text="Hello.")
    for number in range(tunings):
        tune(url, number)
        yield f"{number + 1} fine-tuned models of en-de, each kept by a session of its own", "tunings"


def tune(url: str, number: int) -> None:
    """A session that fine-tunes the model, keeps the result, looks at it and leaves."""
    reader = Reader(url)
    rates, parts = ("0.00005", "0.0002", "0.001"), ("whole", "decoder", "embeddings")
    page = {"show": "tuning", "lr": rates[number % 3], "updated": parts[number // 3 % 3]}
    reader.look("training", **page)
    reader.look("training", press="_train", **page)
    wait(lambda: reader.look("training", **page), lambda: reader.offers("_tuning_keep"))
    reader.look("training", press="_tuning_keep", **page)
    reader.leave()


def wait(look: Callable[[], None], until: Callable[[], bool]) -> None:
    """Looks again each second: a run whose page nobody looks at ends."""
    end = time.monotonic() + 10 * PATIENCE
    while not until():
        if time.monotonic() > end:
            raise TimeoutError("the fine-tuning does not end")
        time.sleep(1)
        look()


if __name__ == "__main__":
    sys.exit(main())
