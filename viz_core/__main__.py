"""Entry point of the command line: python -m viz_core {train,evaluate,translate,trace,heads,copy-gate,passes}."""

from __future__ import annotations

import sys

from viz_core.cli import main

sys.exit(main())
