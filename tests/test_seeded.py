"""The same seed gives the same numbers, whatever other threads draw meanwhile."""

import threading

import torch

from viz_core.seeded import seeded


def test_another_thread_that_draws_meanwhile_changes_nothing() -> None:
    with seeded(3):
        expected = torch.rand(2).tolist()
    drawn = threading.Event()

    def draw() -> None:
        with seeded(4):
            torch.rand(1)
            drawn.wait(10)  # it would stay inside while the others draw

    other = threading.Thread(target=draw)
    with seeded(3):
        found = torch.rand(1).tolist()
        other.start()
        other.join(0.1)
        found += torch.rand(1).tolist()
    drawn.set()
    other.join()
    assert found == expected
