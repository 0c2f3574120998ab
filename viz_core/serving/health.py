"""Whether the app answers: `python -m viz_core.serving.health` is the health check of a container."""

from __future__ import annotations

import os
import ssl
import sys
import urllib.request


def health_path(base_path: str) -> str:
    """The path at which Streamlit answers as long as it is well. base_path: of the app, with or without slashes around it."""
    return f"/{base_path.strip('/')}/_stcore/health".replace("//", "/")


def ready_path(base_path: str) -> str:
    """The path at which the app answers with 200 once a reader need not wait for it to load, and with 503 before."""
    return f"/{base_path.strip('/')}/ready".replace("//", "/")


def answers(origin: str, path: str) -> bool:
    """Whether all is well there, within a few seconds. origin: such as http://localhost:8501, of this machine."""
    own = ssl._create_unverified_context()  # a certificate is made out to the name that readers use
    try:
        with urllib.request.urlopen(origin + path, timeout=4, context=own) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


if __name__ == "__main__":
    sys.exit(not answers("http://127.0.0.1:8501", health_path(os.environ.get("VIZ_BASE_PATH", ""))))
