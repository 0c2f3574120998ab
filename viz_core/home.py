"""Folders of files other than code: those that ship with the app, and those that several servers share.

HOME holds app.py, pages/, checkpoints/, talks/ and .streamlit/. In the repository it is the repository's own folder; a wheel
carries the same files inside the package, where they cannot clash with another package's `pages` (see `tool.hatch` in
pyproject.toml). SHARED, the folder named by $VIZ_SHARED, if any, holds talks/ and models/ for all servers that mount it.
$VIZ_CHECKPOINTS names a folder of further checkpoints, see `viz_core.catalog`.
"""

import os
from pathlib import Path

_SHIPPED = Path(__file__).parent / "shipped"
HOME = _SHIPPED if _SHIPPED.is_dir() else Path(__file__).parents[1]
TOUR = HOME / "pages" / "tour.py"
"""The script that Streamlit runs."""
SHARED_BY = "VIZ_SHARED"
CHECKPOINTS_BY = "VIZ_CHECKPOINTS"
SHARED = Path(os.environ[SHARED_BY]) if os.environ.get(SHARED_BY) else None
