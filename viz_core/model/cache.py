"""Key/value cache of the decoder: no position is computed twice."""

from __future__ import annotations

from collections.abc import Callable

from torch import Tensor

KeysValues = Callable[[Tensor], tuple[Tensor, Tensor]]


class KeyValueCache:
    """Keys and values of masked self-attention: each step adds its own position.

    Memory is allocated once and filled in place, so that a step copies one position and not the whole past.
    """

    def __init__(self, room: int) -> None:
        self._room, self._length = room, 0
        self._k: Tensor | None = None
        self._v: Tensor | None = None

    def extend(self, keys_values: KeysValues, y: Tensor) -> tuple[Tensor, Tensor]:
        """Adds the keys and values of y, (B, 1, D); returns all so far, (B, h, t, d_k) each."""
        k, v = keys_values(y)
        if self._k is None or self._v is None:
            self._k, self._v = (x.new_empty(*x.shape[:2], self._room, x.size(-1)) for x in (k, v))
        end = self._length + k.size(2)
        self._k[:, :, self._length : end], self._v[:, :, self._length : end] = k, v
        self._length = end
        return self._k[:, :, :end], self._v[:, :, :end]

    def reorder(self, rows: Tensor) -> None:
        if self._k is not None and self._v is not None:
            self._k, self._v = self._moved(self._k, rows), self._moved(self._v, rows)

    def _moved(self, x: Tensor, rows: Tensor) -> Tensor:
        moved = x.new_empty(rows.size(0), *x.shape[1:])  # (new B, h, room, d_k)
        moved[:, :, : self._length] = x[:, :, : self._length].index_select(0, rows)
        return moved


class MemoryCache(KeyValueCache):
    """Keys and values of cross attention: computed from the memory at the first step, then kept."""

    def __init__(self) -> None:
        super().__init__(room=0)

    def extend(self, keys_values: KeysValues, y: Tensor) -> tuple[Tensor, Tensor]:
        """The keys and values of the memory y, (B, h, S, d_k) each."""
        if self._k is None or self._v is None:
            self._k, self._v = keys_values(y)
            self._length = self._room = self._k.size(2)
        return self._k, self._v


class DecoderCache:
    """One pair of caches for each decoder layer, and the number of positions decoded so far."""

    def __init__(self, n_layers: int, room: int) -> None:
        self.self_attn = [KeyValueCache(room) for _ in range(n_layers)]
        self.cross_attn = [MemoryCache() for _ in range(n_layers)]
        self.length = 0

    def reorder(self, rows: Tensor, moved: bool = True) -> None:
        """Row i continues from row rows[i], (new B,); rows may repeat or be left out.

        moved: False promises that every row keeps its source sentence, so that keys and values of the memory stay in place.
        """
        for cache in [*self.self_attn, *(self.cross_attn if moved else [])]:
            cache.reorder(rows)
