"""The app on a server under load: each run takes a while before the controls are drawn."""

import time
from typing import Any

from streamlit.web import cli

from viz_core.app import chosen

PAUSE = 1.2
"""Seconds: longer than the browser waits before it asks for a view of the talk once more, which interrupts the run."""

_view = chosen.view


def _slow(*args: Any) -> Any:
    time.sleep(PAUSE)
    return _view(*args)


if __name__ == "__main__":
    vars(chosen)["view"] = _slow
    cli.main()
