"""The app on a server that is under load: each of its runs takes a while before the controls are drawn, and long work is longer."""

import time
from collections.abc import Callable, Hashable
from typing import Any

from streamlit.web import cli

from viz_core.app import chosen, pool
from viz_core.progress import Progress

PAUSE = 1.2
"""Seconds: longer than the browser waits before it asks for a view of the talk once more, which interrupts the run."""
LONGER = 6.0
"""Seconds: a page is opened and asks for the next long work meanwhile."""

_view, _work = chosen.view, pool.Work


def _slow(*args: Any) -> Any:
    time.sleep(PAUSE)
    return _view(*args)


def _long(key: Hashable, compute: Callable[[Progress], Any]) -> pool.Work:
    def computed(progress: Progress) -> Any:
        time.sleep(LONGER)
        return compute(progress)

    return _work(key, computed)


if __name__ == "__main__":
    vars(chosen)["view"], vars(pool)["Work"] = _slow, _long
    cli.main()
