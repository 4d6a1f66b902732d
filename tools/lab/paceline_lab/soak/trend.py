"""Whether something grows with time, and by how much."""

from __future__ import annotations

import statistics
from typing import Any

from scipy import stats

# A median growth over the whole run, within its interval, that is taken for none: of what there is, or in units.
SMALL_SHARE, SMALL = 0.02, 1.0


def growth(points: list[tuple[float, float]]) -> tuple[float, float, float]:
    """Over the time of all points: the median, and its 95 % interval (Sen 1968). A few far off say nothing, such as samples while something was made."""
    xs, ys = zip(*points)
    found = stats.theilslopes(ys, xs, alpha=0.95)
    duration = xs[-1] - xs[0]
    return tuple(float(slope) * duration for slope in (found.slope, found.low_slope, found.high_slope))  # type: ignore[return-value]


def claim(name: str, unit: str, points: list[tuple[float, float]], why: str | None) -> dict[str, Any]:
    """That it does not grow; what cannot be told from little growth holds. `why` is known of what does grow."""
    grown, low, high = growth(points)
    most = max(SMALL, SMALL_SHARE * statistics.median(value for _, value in points))
    holds = low <= most
    return {
        "name": f"growth of {name} within {points[-1][0] - points[0][0]:.2f} h", "reference": None, "target": round(most, 2), "measured": round(grown, 2),
        "unit": unit, "interval": [round(low, 2), round(high, 2)], "repeats": len(points), "holds": holds, **({} if holds else {"why": why or "not known yet"}),
    }  # fmt: skip
