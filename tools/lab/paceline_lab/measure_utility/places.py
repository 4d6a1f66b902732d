"""Which places of the grid to measure: few where the function is flat, many where it falls.

The grid begins as four rectangles. Where the four corners of one agree within the tolerance nothing inside is measured: of
a function that is monotone, all that lies inside is between the corners, and their interpolation is off by half of the
tolerance at most. Otherwise the rectangle is halved across the direction in which its corners differ more.
"""

from __future__ import annotations

from collections.abc import Mapping

Place = tuple[int, int]


def wanted(known: Mapping[Place, float], rates: int, delays: int, tolerance: float) -> list[Place]:
    """Places without a utility yet that the known ones ask for; none when all is done.

    Deterministic, and the places of an earlier answer stay wanted: a run that was interrupted goes on where it was.
    """
    asked: list[Place] = []
    rectangles = [(a, b, c, d) for a, b in halves(0, rates - 1) for c, d in halves(0, delays - 1)]
    while rectangles:
        low, high, near, far = rectangles.pop(0)
        corners = [(i, j) for i in dict.fromkeys((low, high)) for j in dict.fromkeys((near, far))]
        missing = [corner for corner in corners if corner not in known]
        asked += [corner for corner in missing if corner not in asked]
        if missing or spread(known, corners) <= tolerance:
            continue
        by_rate = max(abs(known[high, j] - known[low, j]) for j in (near, far))
        by_delay = max(abs(known[i, far] - known[i, near]) for i in (low, high))
        across_rates = high - low > 1 and (by_rate >= by_delay or far - near <= 1)
        if across_rates:
            rectangles += [(a, b, near, far) for a, b in halves(low, high)]
        elif far - near > 1:
            rectangles += [(low, high, a, b) for a, b in halves(near, far)]
    return asked


def halves(low: int, high: int) -> list[tuple[int, int]]:
    """With the middle in both; what has none stays whole."""
    middle = (low + high) // 2
    return [(low, high)] if high - low < 2 else [(low, middle), (middle, high)]


def spread(known: Mapping[Place, float], corners: list[Place]) -> float:
    values = [known[corner] for corner in corners]
    return max(values) - min(values)
