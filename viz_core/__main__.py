"""Entry point of the command line: `python -m viz_core` here, `viz-core` where it is installed."""

import sys

from viz_core.app.site import write as site
from viz_core.app.talk_file import command as talk
from viz_core.cli import main
from viz_core.home import HOME


def run() -> None:
    """The console command `viz-core`."""
    sys.path.insert(0, str(HOME))  # where `pages` lies; the app finds it there by itself
    sys.exit(main(more=[talk, site]))  # the command line itself does not import the app


if __name__ == "__main__":
    run()
