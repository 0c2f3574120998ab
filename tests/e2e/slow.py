"""The app on a server under load: each run takes a while before the controls are drawn, and long work waits for the next."""

import time
from collections.abc import Callable, Hashable
from typing import Any

from streamlit.web import cli

from viz_core.app import chosen, pool
from viz_core.progress import Progress

PAUSE = 1.2
"""Seconds: longer than the browser waits before it asks for a view of the talk once more, which interrupts the run."""
SEEN = 3.0
"""Seconds: long work goes on for so long once another has to wait for it, which the browser then shows."""
AT_MOST = 60.0
"""Seconds, in which another asks for long work."""

_view, _work = chosen.view, pool.Work
_asked = set[Hashable]()


def _slow(*args: Any) -> Any:
    time.sleep(PAUSE)
    return _view(*args)


def _long(key: Hashable, compute: Callable[[Progress], Any]) -> pool.Work:
    _asked.add(key)

    def computed(progress: Progress) -> Any:
        until = time.monotonic() + AT_MOST
        while len(_asked) <= pool.AT_ONCE and time.monotonic() < until:
            time.sleep(0.1)
        time.sleep(SEEN)
        return compute(progress)

    return _work(key, computed)


if __name__ == "__main__":
    vars(chosen)["view"], vars(pool)["Work"] = _slow, _long
    cli.main()
