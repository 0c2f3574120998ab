"""Maximum flow through a network whose edges have capacities.

networkx's fastest algorithm takes 7 times as long for all layers of a sentence of 20 tokens (version 3.6.1: 2.8 s against 0.4 s).
"""

from __future__ import annotations

from collections import deque

EPSILON = 1e-9  # less room than this is none: capacities are sums of rounded numbers, and must not be chased to their last bit


class Network:
    """Nodes 0 … n − 1 and directed edges between them."""

    def __init__(self, nodes: int) -> None:
        self._out: list[list[int]] = [[] for _ in range(nodes)]
        self._to: list[int] = []
        self._room: list[float] = []  # edge i and its way back, i ^ 1

    def add(self, start: int, end: int, capacity: float) -> None:
        for at, to, room in ((start, end, capacity), (end, start, 0.0)):
            self._out[at].append(len(self._to))
            self._to.append(to)
            self._room.append(room)

    def greatest_flow(self, source: int, sink: int) -> float:
        """Maximum flow from source to sink by Dinic's algorithm (1970), off by less than EPSILON for each edge."""
        room, total = self._room.copy(), 0.0
        while (distance := self._distances(sink, room))[source] >= 0:
            tried = [0] * len(self._out)  # edges of each node that lead nowhere any more
            while path := self._path(source, sink, distance, tried, room):
                amount = min(room[edge] for edge in path)
                for edge in path:
                    room[edge] -= amount
                    room[edge ^ 1] += amount
                total += amount
        return total

    def _distances(self, sink: int, room: list[float]) -> list[int]:
        """Edges from each node to the sink, −1 where it cannot be reached."""
        distance = [-1] * len(self._out)
        distance[sink] = 0
        queue = deque([sink])
        while queue:
            node = queue.popleft()
            for edge in self._out[node]:
                if distance[self._to[edge]] < 0 and room[edge ^ 1] > EPSILON:
                    distance[self._to[edge]] = distance[node] + 1
                    queue.append(self._to[edge])
        return distance

    def _path(self, node: int, sink: int, distance: list[int], tried: list[int], room: list[float]) -> list[int]:
        """Edges of one shortest path with residual capacity; empty if there is none."""
        path: list[int] = []
        while node != sink:
            edges = self._out[node]
            while tried[node] < len(edges):
                edge = edges[tried[node]]
                if room[edge] > EPSILON and distance[self._to[edge]] == distance[node] - 1:
                    path.append(edge)
                    node = self._to[edge]
                    break
                tried[node] += 1
            else:
                if not path:
                    return []
                node = self._to[path.pop() ^ 1]
                tried[node] += 1
        return path
