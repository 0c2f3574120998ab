"""The calculator's process: takes calls, each by a connection of its own, and ends with its input.

    python -m viz_core.calculator      started by `Calculator`, never by hand

Input: the key of its connections. Output: its address. Then each connection brings a lane and a call, and takes pairs of a kind
(progress, result, error) and a value. A caller who leaves closes the connection, which ends the work.
"""

import os
import pickle
import signal
import sys
import threading
import time
from contextlib import suppress
from multiprocessing.connection import Connection, Listener
from typing import Any

from viz_core.calculator import client
from viz_core.progress import Progress
from viz_core.texts import speak

LANES = {"pass": threading.Semaphore(1), "long": threading.Semaphore(2)}
"""Calls that run at a time. A short one of two long computations need not wait for a very long one."""
SWITCH = 0.0005
"""Seconds after which a thread yields Python's lock: beside long work, a pass needs it hundreds of times."""
EVERY = 0.05
"""Seconds between two reports of progress."""
BACKLOG = 64
"""Callers that may connect at the same time."""


def _take(pipe: Connection) -> None:
    with pipe, suppress(OSError, EOFError):  # the caller has gone
        lane, content = pipe.recv_bytes().decode(), pipe.recv_bytes()
        with LANES[lane]:
            if not pipe.poll():  # nothing more is sent: there is only an end to be read
                pipe.send_bytes(_answer(content, pipe))


def _answer(content: bytes, pipe: Connection) -> bytes:
    try:
        language, function, arguments, counts = client.unpack(content)
        speak(language)  # results may hold words
        return client.pack(("result", function(*arguments, **({"progress": _progress(pipe)} if counts else {}))))
    except BrokenPipeError:
        raise
    except BaseException as error:  # any error at all: the caller waits for an answer
        return client.pack(("error", _sendable(error)))


def _progress(pipe: Connection) -> Progress:
    reported = 0.0

    def report(done: int, total: int | None) -> None:
        nonlocal reported
        if pipe.poll():
            raise BrokenPipeError
        if (now := time.monotonic()) - reported > EVERY:
            reported = now
            pipe.send_bytes(client.pack(("progress", (done, total))))

    return report


def _sendable(error: BaseException) -> BaseException:
    """The error itself, or one with its text if it cannot be pickled."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return client.NotSendable(repr(error))
    return error


def _end_with(stream: Any) -> None:
    stream.read()
    os._exit(0)  # the app has ended; running work is of no use


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the app; this process ends with it
    sys.setswitchinterval(SWITCH)
    key = bytes.fromhex(sys.stdin.readline())
    with Listener(backlog=BACKLOG, authkey=key) as listener:
        print(listener.address, flush=True)
        os.dup2(2, 1)  # the address is all that the app reads
        threading.Thread(target=_end_with, args=(sys.stdin,), daemon=True).start()
        while True:
            with suppress(OSError, EOFError):  # a caller who has gone at once
                threading.Thread(target=_take, args=(listener.accept(),), daemon=True).start()


if __name__ == "__main__":
    main()
