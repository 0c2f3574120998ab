"""What is kept stays within its bound in bytes, goes with what it was computed from, and is computed once."""

import gc
import threading
import weakref
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import numpy.typing as npt
import pytest
import torch

from viz_core.app import cache
from viz_core.app.cache import Shelf, cached, get_explanation
from viz_core.app.memory import LEAST, size_of
from viz_core.checkpoint import Checkpoint
from viz_core.explain import Explanation

MOST = 2_000_000


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Empty caches with small bounds."""
    for name in ("sentences", "results", "models"):
        monkeypatch.setattr(cache, name, Shelf(MOST))
    yield


def megabyte(explanation: Explanation, number: int) -> npt.NDArray[np.uint8]:
    return np.full(500_000, number, np.uint8)


def test_after_many_sentences_the_bytes_are_within_the_bound(checkpoint: Checkpoint) -> None:
    largest = 0
    for i in range(12):
        found = get_explanation(checkpoint, f"The tall nurse hides {'two umbrellas ' * (i % 4 + 1)} and {i} maps.")
        cached(megabyte, found, i)
        largest = max(largest, size_of(found))
        assert max(cache.sentences.currsize, cache.results.currsize) <= MOST
    assert len(cache.sentences) < 12
    assert cache.sentences.currsize > MOST - 2 * largest


def test_what_was_computed_from_a_sentence_goes_with_it(checkpoint: Checkpoint) -> None:
    first = get_explanation(checkpoint, "My aunt paints.")
    payload = cached(megabyte, first, 1)
    assert cached(megabyte, first, 1) is payload
    gone = weakref.ref(first), weakref.ref(payload)
    del first, payload
    while gone[0]() is not None:
        gc.collect()
        get_explanation(checkpoint, f"A baker hides {len(cache.sentences)} kettles and {cache.sentences.currsize} maps.")
    assert gone[1]() is None
    assert cache.results.currsize == 0


@pytest.fixture
def slow() -> tuple[Callable[[int], object], list[int], threading.Event]:
    """A function that takes until the event, and the arguments of its calls."""
    calls: list[int] = []
    go = threading.Event()

    def compute(number: int) -> object:
        calls.append(number)
        assert go.wait(10)
        if number < 0:
            raise ValueError("as asked")
        return object()

    return compute, calls, go


def both(compute: Callable[[int], object], number: int, go: threading.Event) -> list[object]:
    """What two threads get that ask at the same time: a result, or an error."""

    def ask() -> object:
        try:
            return cached(compute, number)
        except ValueError as error:
            return error

    with ThreadPoolExecutor(2) as pool:
        asked = [pool.submit(ask) for _ in range(2)]
        threading.Timer(0.05, go.set).start()
        return [each.result(10) for each in asked]


def test_who_asks_meanwhile_waits_for_the_first(slow: tuple[Callable[[int], object], list[int], threading.Event]) -> None:
    compute, calls, go = slow
    one, other = both(compute, 1, go)
    assert one is other
    assert calls == [1]


def test_an_error_reaches_all_who_wait_and_is_not_kept(slow: tuple[Callable[[int], object], list[int], threading.Event]) -> None:
    compute, calls, go = slow
    assert [str(each) for each in both(compute, -1, go)] == ["as asked"] * 2
    assert calls == [-1]
    with pytest.raises(ValueError, match="as asked"):
        cached(compute, -1)
    assert calls == [-1, -1]
    assert not cache._running


def test_a_result_that_is_too_large_is_returned_and_drives_nothing_out(checkpoint: Checkpoint) -> None:
    found = get_explanation(checkpoint, "My aunt paints.")
    small = cached(megabyte, found, 1)
    assert cached(np.zeros, MOST).nbytes > MOST
    assert [entry.result for entry in cache.results.values()] == [small]


class TestSize:
    def test_views_of_one_tensor_or_array_count_once(self) -> None:
        tensor, array = torch.zeros(1000, 10), np.zeros((1000, 10))
        for whole in (tensor, array):
            assert 0 <= size_of([whole, whole[1:], whole.T, whole[3]]) - size_of(whole) < LEAST
        assert 0 <= size_of([tensor, tensor.numpy()[2]]) - size_of(tensor) < LEAST
        assert size_of(tensor[:1]) > 40_000  # it keeps the whole alive

    def test_a_sentence_is_about_its_trace(self, checkpoint: Checkpoint) -> None:
        found = get_explanation(checkpoint, "The tall nurse hides two umbrellas.")
        storages = {each.untyped_storage().data_ptr(): each.untyped_storage().nbytes() for each in found.trace.values()}
        assert sum(storages.values()) < size_of(found, cache.APART) < 1.2 * sum(storages.values())

    def test_what_others_keep_is_left_out(self, checkpoint: Checkpoint) -> None:
        weights = 4 * sum(each.numel() for each in checkpoint.model.parameters())
        assert size_of([checkpoint], (Checkpoint,)) < 2 * LEAST
        assert size_of(checkpoint, (Checkpoint,)) > weights
