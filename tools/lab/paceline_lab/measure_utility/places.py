"""Which places of the grid to measure: few where the function is flat or straight, many where it bends or falls.

The grid begins as four rectangles. Where the four corners of one agree within the tolerance nothing inside is measured: of
a function that is monotone, all that lies inside is between the corners, and half of the tolerance off their middle at
most. Otherwise the rectangle is halved across the direction in which its corners differ more. Where the new places are
within half of the tolerance of the line between the old ones the function is taken to go straight there: its halves may
differ by `STRAIGHT` times as much.
"""

from __future__ import annotations

from collections.abc import Mapping

Place = tuple[int, int]
# The worst that a function which bends just inside may be off, in halves of the tolerance.
STRAIGHT = 3
RATE, DELAY = 0, 1


def wanted(known: Mapping[Place, float], rates: int, delays: int, tolerance: float) -> list[Place]:
    """Places without a utility yet that the known ones ask for; none when all is done.

    Deterministic, and the places of an earlier answer stay wanted: a run that was interrupted goes on where it was.
    """
    asked: list[Place] = []
    rectangles = [(a, b, c, d, False) for a, b in halves(0, rates - 1) for c, d in halves(0, delays - 1)]
    while rectangles:
        low, high, near, far, straight = rectangles.pop(0)
        corners = [(i, j) for i in dict.fromkeys((low, high)) for j in dict.fromkeys((near, far))]
        missing = [corner for corner in corners if corner not in known]
        asked += [corner for corner in missing if corner not in asked]
        if missing or spread(known, corners) <= tolerance * (STRAIGHT if straight else 1):
            continue
        by_rate = max(abs(known[high, j] - known[low, j]) for j in (near, far))
        by_delay = max(abs(known[i, far] - known[i, near]) for i in (low, high))
        across = RATE if high - low > 1 and (by_rate >= by_delay or far - near <= 1) else DELAY
        if across == DELAY and far - near <= 1:
            continue
        edges = [((low, j), (high, j)) for j in (near, far)] if across == RATE else [((i, near), (i, far)) for i in (low, high)]
        middles = [((a[0] + b[0]) // 2, (a[1] + b[1]) // 2) for a, b in edges]
        unknown = [middle for middle in dict.fromkeys(middles) if middle not in known]
        asked += [middle for middle in unknown if middle not in asked]
        if unknown:
            continue
        goes_on = all(abs(known[m] - between(known, a, b, m, across)) <= tolerance / 2 for (a, b), m in zip(edges, middles))
        if across == RATE:
            rectangles += [(a, b, near, far, goes_on) for a, b in halves(low, high)]
        else:
            rectangles += [(low, high, a, b, goes_on) for a, b in halves(near, far)]
    return asked


def halves(low: int, high: int) -> list[tuple[int, int]]:
    """With the middle in both; what has none stays whole."""
    middle = (low + high) // 2
    return [(low, high)] if high - low < 2 else [(low, middle), (middle, high)]


def spread(known: Mapping[Place, float], corners: list[Place]) -> float:
    values = [known[corner] for corner in corners]
    return max(values) - min(values)


def between(known: Mapping[Place, float], a: Place, b: Place, middle: Place, across: int) -> float:
    share = (middle[across] - a[across]) / (b[across] - a[across])
    return known[a] + share * (known[b] - known[a])
